"""The addresses of the chat page."""

from __future__ import annotations

from django.urls import path

from chat import views

urlpatterns = [
    path("", views.chat, name="chat"),
    path("sessions/<int:session_id>/", views.chat, name="session"),
]
