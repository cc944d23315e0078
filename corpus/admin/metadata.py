"""Metadata entries with their candidates."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from corpus.admin.by_role import ByRole
from corpus.models import Candidate, MetadataEntry


class CandidateInline(admin.TabularInline):  # type: ignore[type-arg]
    """What was proposed, by which tier, on which evidence."""

    model = Candidate
    fields = ("field", "value", "tier", "score", "evidence", "doubt", "created")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the entry."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody add candidates here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody change candidates."""
        return False


@admin.register(MetadataEntry)
class MetadataEntryAdmin(ByRole):
    """Metadata entries."""

    list_display = ("title", "source_file", "heading", "review", "doubt", "updated")
    list_filter = ("review", ("source_file__collection", admin.RelatedOnlyFieldListFilter))
    search_fields = ("source_file__path", "values__title", "heading")
    list_select_related = ("source_file__collection__domain",)
    ordering = ("review", "-doubt")
    inlines = (CandidateInline,)

    @admin.display(description="Title")
    def title(self, entry: MetadataEntry) -> str:
        """Return the title, or what stands in for it."""
        return str(entry.values.get("title") or entry.source_file.name)[:120]


@admin.register(Candidate)
class CandidateAdmin(ByRole):
    """Candidates across entries."""

    list_display = ("field", "value", "tier", "score", "doubt", "entry")
    list_filter = ("tier", "field")
    search_fields = ("entry__source_file__path", "value")
    list_select_related = ("entry__source_file__collection__domain",)
