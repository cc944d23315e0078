from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from klea_site.health import health
from klea_site.sign_in import SignInView, by_link

urlpatterns = [
    path("sign-in/", SignInView.as_view(), name="sign-in"),
    path("sign-in/<str:token>/", by_link, name="sign-in-link"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("healthz", health, name="health"),
]
