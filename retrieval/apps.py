from __future__ import annotations

from django.apps import AppConfig
from django.core import checks


class RetrievalConfig(AppConfig):
    """How it is found."""

    name = "retrieval"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Search"

    def ready(self) -> None:
        """Register what doctor asks."""
        from retrieval import doctor

        checks.register(doctor.stores_are_whole, "doctor", deploy=True)
        checks.register(doctor.filter_fields_are_in_use, "doctor", deploy=True)
