"""The addresses: the chat page, the admin, the API."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from klea_site.api import api

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("", include("klea_site.sign_in_urls")),
    path("", include("corpus.urls")),
    path("", include("retrieval.urls")),
    path("", include("chat.urls")),
]
