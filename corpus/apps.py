from __future__ import annotations

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """What is held."""

    name = "corpus"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Library"

    def ready(self) -> None:
        """Let files follow decisions on their metadata."""
        from corpus import ingestion, review

        if ingestion.go_on not in review.after_decision:
            review.after_decision.append(ingestion.go_on)
