from __future__ import annotations

from django.apps import AppConfig
from django.core import checks


class CorpusConfig(AppConfig):
    """What is held."""

    name = "corpus"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Library"

    def ready(self) -> None:
        """Let files follow decisions on their metadata."""
        from corpus import doctor, ingestion, review

        checks.register(doctor.files_keep_their_promises, "doctor", deploy=True)

        if ingestion.go_on not in review.after_decision:
            review.after_decision.append(ingestion.go_on)
