"""One file: its state and what to do, its pages beside their passages, its attempts, its original."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.files.storage import default_storage
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from corpus import blobs
from corpus.access import role_of
from corpus.core.media_type import BY_MEDIA_TYPE, PDF
from corpus.core.metadata_map import DEFAULT
from corpus.listing import STAGES, row_of
from corpus.models import Chunk, MetadataEntry, Outcome, Role, SourceFile

CHUNKS_PER_PAGE = 30
MOST_ATTEMPTS = 40


@never_cache
@login_required
@require_GET
def source_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a file."""
    file = visible_file(request, pk)
    number = _page_number(request, file)
    chunks = Chunk.objects.filter(source_file=file)
    if number:
        chunks = chunks.filter(pages__contains=number)
    entry = MetadataEntry.objects.filter(source_file=file, heading=DEFAULT).first()
    kind = BY_MEDIA_TYPE.get(file.media_type)
    return render(
        request,
        "corpus/source_file.html",
        {
            "file": file,
            "row": _row(file),
            "kind": kind.label if kind else file.media_type,
            "is_pdf": file.media_type == PDF,
            "pages": file.pages,
            "number": number,
            "hidden": sum(page.get("hidden_characters", 0) for page in file.pages),
            "chunks": Paginator(chunks.order_by("ordinal"), CHUNKS_PER_PAGE).get_page(request.GET.get("part", 1)),
            "metadata": _shown(entry.values) if entry else [],
            "entry": entry,
            "attempts": _attempts(file),
            "can_change": role_of(request.user, file.collection.domain) >= Role.CURATOR,
        },
    )


@never_cache
@login_required
@require_GET
def state_json(request: HttpRequest, pk: int) -> JsonResponse:
    """Return a file's state, for the live page."""
    return JsonResponse(_row(visible_file(request, pk)))


@login_required
@require_GET
def original(request: HttpRequest, pk: int) -> FileResponse:
    """Give the held bytes as a download, never to be shown by the browser on our own origin."""
    file = visible_file(request, pk)
    try:
        content = default_storage.open(blobs.place_of(file.content_hash), "rb")
    except FileNotFoundError as error:
        raise Http404("The bytes of this file are missing.") from error
    response = FileResponse(content, as_attachment=True, filename=file.name, content_type="application/octet-stream")
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response.headers["Cache-Control"] = "private, no-store"
    return response


def visible_file(request: HttpRequest, pk: int) -> SourceFile:
    """Return the file if the user may see it.

    Raises:
        Http404: there is none, it is removed, or it is of a domain that the user doesn't see.
    """
    visible = SourceFile.objects.held().visible_to(request.user).select_related("collection__domain", "uploaded_by")
    found: SourceFile = get_object_or_404(visible, pk=pk)
    return found


def _row(file: SourceFile) -> dict[str, Any]:
    running = file.attempts.filter(outcome=Outcome.RUNNING).first()
    return row_of(file, passages=Chunk.objects.filter(source_file=file, enabled=True).count(), running=running)


def _page_number(request: HttpRequest, file: SourceFile) -> int:
    """Return the page that is looked at; 0 for a file without pages."""
    if not file.pages:
        return 0
    text = request.GET.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1  # noqa: PLR2004
    return max(1, min(number, len(file.pages)))


def _shown(values: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return label, text and web address (if it is one) of each value that people see."""
    rows = []
    for name, value in values.items():
        if name.startswith("_") or value in (None, "", []):
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        address = text if text.startswith(("https://", "http://")) else ""
        rows.append((name.removeprefix("url_").replace("_", " "), text, address))
    return rows


def _attempts(file: SourceFile) -> list[dict[str, Any]]:
    return [
        {
            "label": STAGES.get(attempt.stage, attempt.stage),
            "outcome": attempt.outcome,
            "outcome_label": attempt.get_outcome_display(),
            "started": attempt.started,
            "took_s": attempt.took_ms / 1000 if attempt.took_ms is not None else None,
            "peak_mb": attempt.peak_bytes // (1024 * 1024) if attempt.peak_bytes else None,
            "cause": attempt.detail.get("cause", ""),
        }
        for attempt in file.attempts.all()[:MOST_ATTEMPTS]
    ]
