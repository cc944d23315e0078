"""Source files: their states are read-only, every button calls a verb."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from corpus import ingestion
from corpus.admin.by_role import ByRole
from corpus.admin.upload_form import UploadForm
from corpus.blobs import StorageFull
from corpus.models import Role, SourceFile, StageAttempt, State
from corpus.models.source_file import SourceFileQuerySet
from corpus.upload import TakenIn, take_in_uploaded


class AttemptInline(admin.TabularInline):  # type: ignore[type-arg]
    """What was tried on the file."""

    model = StageAttempt
    fields = ("stage", "outcome", "started", "took_ms", "peak_bytes", "detail")
    readonly_fields = fields
    ordering = ("-started",)
    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the file."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody add attempts."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody change attempts."""
        return False


@admin.register(SourceFile)
class SourceFileAdmin(ByRole):
    """Source files."""

    role_to_change = Role.CURATOR
    role_to_add = Role.CURATOR
    list_display = ("path", "collection", "state", "told", "page_count", "passages", "updated")
    list_filter = ("state", ("collection", admin.RelatedOnlyFieldListFilter), "media_type")
    search_fields = ("path", "content_hash")
    list_select_related = ("collection__domain",)
    date_hierarchy = "created"
    inlines = (AttemptInline,)
    actions = ("retry", "retry_with_ocr", "cancel", "redo")
    fields = (
        "in_library",
        "path",
        "collection",
        "state",
        "told",
        "stage",
        ("media_type", "size", "page_count", "pages_done"),
        "ocr",
        "content_hash",
        "uploaded_by",
        ("created", "updated"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave removed files out, and count passages."""
        rows = super().get_queryset(request).exclude(state=State.REMOVED)
        counted: QuerySet[Any] = rows.annotate(passages_made=Count("chunks"))
        return counted

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let nothing be typed in but what a verb takes."""
        return [name for row in self.fields for name in (row if isinstance(row, tuple) else (row,)) if name != "ocr"]

    @admin.display(description="Passages", ordering="passages_made")
    def passages(self, file: Any) -> int:
        """Return how many passages there are."""
        return int(file.passages_made)

    @admin.display(description="What to do")
    def told(self, file: SourceFile) -> str:
        """Return cause and advice."""
        detail = file.state_detail if isinstance(file.state_detail, dict) else {}
        return f"{detail.get('cause', '')} {detail.get('advice', '')}".strip() or "–"

    @admin.display(description="In the library")
    def in_library(self, file: SourceFile) -> SafeString:
        """Return a link to the file's pages and passages."""
        return format_html('<a href="{}">Pages and passages</a>', reverse("source-file", args=[file.pk]))

    def save_model(self, request: HttpRequest, obj: SourceFile, form: Any, change: bool) -> None:  # noqa: FBT001 -- Django's
        """Ask the verb for what was chosen."""
        if "ocr" in form.changed_data and obj.ocr:
            ingestion.retry(SourceFile.objects.filter(pk=obj.pk), by=_actor(request), ocr=obj.ocr)
        elif "ocr" in form.changed_data:
            SourceFile.objects.filter(pk=obj.pk).update(ocr="")

    def delete_model(self, request: HttpRequest, obj: SourceFile) -> None:
        """Remove the file everywhere."""
        ingestion.remove(SourceFile.objects.filter(pk=obj.pk), by=_actor(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[SourceFile]) -> None:
        """Remove the files everywhere."""
        ingestion.remove(_plain(queryset), by=_actor(request))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Tell what a removal takes away; rows of attempts and events stay."""
        names = [str(one) for one in objs]
        return names, {"source files with their passages and metadata": len(names)}, set(), []

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Upload instead of typing a row."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = UploadForm(request.POST or None, request.FILES or None, user=request.user)
        if request.method == "POST" and form.is_valid():
            try:
                self._take_in(request, form)
                return HttpResponseRedirect(reverse("admin:corpus_sourcefile_changelist"))
            except StorageFull as error:
                form.add_error("documents", f"{error} {error.advice}")
        context = {**self.admin_site.each_context(request), "opts": self.opts, "form": form, "title": "Upload files"}
        return TemplateResponse(request, "admin/corpus/sourcefile/upload.html", context)

    @admin.action(description="Retry", permissions=["change"])
    def retry(self, request: HttpRequest, queryset: QuerySet[SourceFile]) -> None:
        """Try again."""
        self._told(request, ingestion.retry(_plain(queryset), by=_actor(request)), "are tried again")

    @admin.action(description="Retry, reading pages without text by OCR", permissions=["change"])
    def retry_with_ocr(self, request: HttpRequest, queryset: QuerySet[SourceFile]) -> None:
        """Try again with OCR."""
        self._told(request, ingestion.retry(_plain(queryset), by=_actor(request), ocr="auto"), "are tried again with OCR")

    @admin.action(description="Cancel the work", permissions=["change"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[SourceFile]) -> None:
        """Cancel."""
        self._told(request, ingestion.cancel(_plain(queryset), by=_actor(request)), "are cancelled")

    @admin.action(description="Do everything again", permissions=["change"])
    def redo(self, request: HttpRequest, queryset: QuerySet[SourceFile]) -> None:
        """Run all stages again."""
        self._told(request, ingestion.redo(_plain(queryset), by=_actor(request)), "go through all steps again")

    def _told(self, request: HttpRequest, count: int, what: str) -> None:
        self.message_user(request, f"{count} files {what}.", messages.SUCCESS)

    def _take_in(self, request: HttpRequest, form: UploadForm) -> None:
        outcomes: list[TakenIn] = []
        for file in form.cleaned_data["documents"]:
            outcomes += take_in_uploaded(form.cleaned_data["collection"], file, by=_actor(request))
        good = [one for one in outcomes if one.change in {"new", "changed", "same"}]
        self.message_user(request, f"{len(good)} of {len(outcomes)} files were taken.", messages.SUCCESS)
        bad = [(one.path, one.cause, one.advice) for one in outcomes if one.change in {"refused", "ignored"}]
        if bad:
            told = format_html_join(" ", "{}: {} {}", bad[:30])
            self.message_user(request, format_html("Not taken: {}", told), messages.WARNING)


def _plain(queryset: QuerySet[SourceFile]) -> SourceFileQuerySet:
    """Return the same files without the list's own annotations."""
    return SourceFile.objects.filter(pk__in=list(queryset.values_list("pk", flat=True)))


def _actor(request: HttpRequest) -> Any:
    return request.user
