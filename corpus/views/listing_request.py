"""Read what a list is asked for; nonsense is left out rather than refused, so that an old link still opens."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, QueryDict

from corpus.listing import MOST_PER_PAGE, PER_PAGE, Wanted, files_for
from corpus.models import SourceFile, State

GROUPS = {
    "working": (State.QUEUED, State.CONVERTING, State.INDEXING),
    "waiting": (State.NEEDS_REVIEW, State.NEEDS_OCR, State.PASSWORD_NEEDED),
    "ready": (State.READY,),
    "partial": (State.PARTIAL,),
    "failed": (State.FAILED, State.CANCELLED),
}
GROUP_LABELS = {
    "working": "In work",
    "waiting": "Waits for you",
    "ready": "Ready",
    "partial": "Partial",
    "failed": "Failed or cancelled",
}


def wanted_of(query: QueryDict) -> Wanted:
    """Return what the query string asks for."""
    group = query.get("show", "")
    return Wanted(
        domain=_number(query.get("domain")),
        collection=_number(query.get("collection")),
        states=tuple(state.value for state in GROUPS.get(group, ())),
        text=query.get("q", "").replace("\x00", "")[:200],
    )


def page_of(request: HttpRequest) -> Page[SourceFile]:
    """Return the page of files that the query string asks for; a number out of range gives the nearest page."""
    files = files_for(request.user, wanted_of(request.GET)).select_related("collection__domain")
    size = min(_number(request.GET.get("per_page")) or PER_PAGE, MOST_PER_PAGE)
    return Paginator(files.order_by("collection__domain__name", "collection__name", "path", "pk"), size).get_page(
        request.GET.get("page", 1)
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004
