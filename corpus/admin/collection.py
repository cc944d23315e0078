"""Collections and how they are converted."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpus.admin.by_role import ByRole
from corpus.ingestion.settled import queue_unsettled
from corpus.listing import searchable_share
from corpus.models import Collection, Role, SourceFile
from corpus.passage_check import check_passages


@admin.register(Collection)
class CollectionAdmin(ByRole):
    """Collections. Changed settings take effect with the action that converts what they change."""

    role_to_change = Role.MANAGER
    role_to_add = Role.MANAGER
    list_display = ("name", "domain", "ocr", "layout", "max_tokens", "review_required", "searchable", "library")
    list_filter = (("domain", admin.RelatedOnlyFieldListFilter), "ocr", "review_required")
    search_fields = ("name", "slug", "description", "domain__name")
    prepopulated_fields = {"slug": ("name",)}
    list_select_related = ("domain",)
    readonly_fields = ("searchable", "library", "passages")
    actions = ("apply_settings",)

    @admin.display(description="Searchable")
    def searchable(self, collection: Collection) -> str:
        """Return which share of the files a question can find."""
        return f"{searchable_share(collection):.0%}" if collection.pk else "–"

    @admin.display(description="Files")
    def library(self, collection: Collection) -> SafeString | str:
        """Return a link to the files."""
        if not collection.pk:
            return "–"
        return format_html('<a href="{}?collection={}">Library</a>', reverse("library"), collection.pk)

    def save_model(self, request: HttpRequest, obj: Collection, form: Any, change: bool) -> None:  # noqa: FBT001 -- Django's
        """Save, and send the files that changed settings concern through the stages again."""
        super().save_model(request, obj, form, change)
        if change and (count := queue_unsettled(obj)):
            messages.info(request, f"{count} files go through the changed settings again.")

    @admin.display(description="Passages")
    def passages(self, collection: Collection) -> SafeString | str:
        """Return a link to the check of the passages."""
        if not collection.pk:
            return "–"
        return format_html(
            '<a href="{}">Check the passages</a>', reverse("admin:corpus_collection_passages", args=[collection.pk])
        )

    def get_urls(self) -> list[URLPattern]:
        """Add the page that checks the passages."""
        view = self.admin_site.admin_view(self.passages_view)
        return [path("<int:pk>/passages/", view, name="corpus_collection_passages"), *super().get_urls()]

    def passages_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what the five rules say of the passages, with samples."""
        collection = get_object_or_404(self.get_queryset(request), pk=pk)
        found = check_passages(SourceFile.objects.held().filter(collection=collection), samples=3)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "collection": collection,
            "title": f"Passages of {collection.name}",
            "report": found.report.as_text(),
            "windows": found.windows,
        }
        return TemplateResponse(request, "admin/corpus/collection/passages.html", context)

    @admin.action(description="Send files through changed settings again", permissions=["change"])
    def apply_settings(self, request: HttpRequest, queryset: QuerySet[Collection]) -> None:
        """Queue what isn't up to date."""
        allowed = [one for one in queryset.select_related("domain") if self.has_change_permission(request, one)]
        count = sum(queue_unsettled(collection) for collection in allowed)
        self.message_user(request, f"{count} files are queued.", messages.SUCCESS)
