from __future__ import annotations

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """How it is answered."""

    name = "chat"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Conversations"
