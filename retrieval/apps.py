from __future__ import annotations

from django.apps import AppConfig


class RetrievalConfig(AppConfig):
    """How it is found."""

    name = "retrieval"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Search"
