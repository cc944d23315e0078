"""Sessions, turns and their citations, to be read."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from chat.admin.own_rows import OwnRows, is_staff
from chat.asking import delete_session
from chat.models import Citation, Session, Turn
from chat.models.citation import CitationQuerySet


class ReadOnlyInline(admin.TabularInline):  # type: ignore[type-arg]
    """Rows below another row, to be read."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the row above."""
        return is_staff(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows come from conversations."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody rewrites what was said."""
        return False


class TurnInline(ReadOnlyInline):
    """The questions of a session."""

    model = Turn
    fields = ("ordinal", "question", "kind", "state", "feedback", "created")
    readonly_fields = fields


class CitationInline(ReadOnlyInline):
    """The citations of an answer, as far as the reader may see their sources."""

    model = Citation
    fields = ("marker", "sentence", "quote", "support", "pages", "passage")
    readonly_fields = fields
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Keep citations of sources that the user may still see."""
        rows = super().get_queryset(request)
        assert isinstance(rows, CitationQuerySet)  # noqa: S101 -- the model's own manager
        return rows.visible_to(request.user)

    @admin.display(description="Passage")
    def passage(self, citation: Citation) -> str:
        """Link to the chunk that is cited."""
        if citation.chunk_id is None:
            return "no longer in the library"
        address = reverse("admin:corpus_chunk_change", args=[citation.chunk_id])
        return format_html('<a href="{}">{}</a>', address, citation.snapshot.get("title") or citation.chunk_id)


@admin.register(Session)
class SessionAdmin(OwnRows):
    """Your conversations."""

    list_display = ("__str__", "turn_count", "created", "updated")
    search_fields = ("title", "turns__question")
    list_filter = (("domains", admin.RelatedOnlyFieldListFilter),)
    date_hierarchy = "updated"
    inlines: ClassVar[tuple[type[admin.TabularInline], ...]] = (TurnInline,)  # type: ignore[type-arg]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Count the questions."""
        counted: QuerySet[Any] = super().get_queryset(request).annotate(turns_held=Count("turns"))
        return counted

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let people delete their own conversations."""
        return is_staff(request)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Ask the verb."""
        delete_session(request.user, obj.pk)

    @admin.display(description="Questions", ordering="turns_held")
    def turn_count(self, session: Any) -> int:
        """Return how many questions were asked."""
        return int(session.turns_held)


@admin.register(Turn)
class TurnAdmin(OwnRows):
    """Your questions with their answers, and how each was found."""

    list_display = ("question", "session", "kind", "state", "feedback", "created")
    list_filter = ("state", "kind", "feedback")
    search_fields = ("question", "answer")
    date_hierarchy = "created"
    list_select_related = ("session",)
    inlines = (CitationInline,)
    fields = (
        ("session", "ordinal"),
        "question",
        "standalone_question",
        "domains",
        "answer",
        ("kind", "state"),
        "error",
        ("feedback", "feedback_text"),
        "trace",
        "reproduction",
        ("created", "finished"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Keep the answers whose sources the user may still see."""
        return Turn.objects.readable_by(request.user)
