"""What was tried, and who did what: to be read only."""

from __future__ import annotations

from django.contrib import admin

from corpus.admin.by_role import ByRole
from corpus.models import ReviewEvent, StageAttempt


@admin.register(StageAttempt)
class StageAttemptAdmin(ByRole):
    """Attempts across files."""

    list_display = ("source_file", "stage", "outcome", "started", "took_ms", "peak_bytes", "cause")
    list_filter = ("outcome", "stage")
    search_fields = ("source_file__path", "detail__cause")
    date_hierarchy = "started"
    list_select_related = ("source_file__collection__domain",)

    @admin.display(description="Cause")
    def cause(self, attempt: StageAttempt) -> str:
        """Return why it failed."""
        return str(attempt.detail.get("cause", "")) if isinstance(attempt.detail, dict) else ""


@admin.register(ReviewEvent)
class ReviewEventAdmin(ByRole):
    """Events across files."""

    list_display = ("at", "actor", "verb", "source_file", "heading")
    list_filter = ("verb", ("actor", admin.RelatedOnlyFieldListFilter))
    search_fields = ("source_file__path", "actor__username", "verb")
    date_hierarchy = "at"
    list_select_related = ("source_file__collection__domain", "actor")
