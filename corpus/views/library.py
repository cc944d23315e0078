"""The list of files: look, filter, and act on many at once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from corpus import ingestion
from corpus.core.media_type import KINDS
from corpus.listing import collections_for, counts_by_state, files_for, rows_of, searchable_share
from corpus.models import Collection, Domain, Role, SourceFile
from corpus.views.listing_request import GROUP_LABELS, GROUPS, page_of, wanted_of

MOST_CHOSEN = 5_000


@never_cache
@login_required
@require_GET
def library(request: HttpRequest) -> HttpResponse:
    """Show the library."""
    wanted = wanted_of(request.GET)
    collections = list(Collection.objects.visible_to(request.user).select_related("domain").order_by("domain__name", "name"))
    return render(
        request,
        "corpus/library.html",
        {
            **_list(request),
            "wanted": wanted,
            "domains": Domain.objects.visible_to(request.user),
            "collections": collections,
            "upload_to": list(collections_for(request.user, Role.CURATOR)),
            "extensions": ",".join(extension for kind in KINDS for extension in kind.extensions) + ",.zip",
            "from_the_web": settings.URL_IMPORT,
            "largest_mb": settings.UPLOAD_MAX_BYTES // (1024 * 1024),
            "collection_shown": _collection_shown(wanted.collection, collections),
        },
    )


@never_cache
@login_required
@require_GET
def listed(request: HttpRequest) -> HttpResponse:
    """Return the list alone, for the live page."""
    return render(request, "corpus/_list.html", _list(request))


@login_required
@require_POST
def act(request: HttpRequest) -> JsonResponse:
    """Retry, cancel or remove the chosen files."""
    files = _chosen(request)
    verb = request.POST.get("verb", "")
    if verb == "retry":
        ocr = request.POST.get("ocr", "")
        if ocr and ocr not in Collection.Ocr.values:
            return _refused(f"'{ocr[:20]}' is not known.", "Choose auto, always or never.")
        count = ingestion.retry(files, by=_actor(request), password=request.POST.get("password", "")[:500], ocr=ocr)
    elif verb == "cancel":
        count = ingestion.cancel(files, by=_actor(request))
    elif verb == "remove":
        count = ingestion.remove(files, by=_actor(request))
    else:
        return _refused(f"'{verb[:20]}' is not known.", "Choose retry, cancel or remove.")
    return JsonResponse({"count": count})


def _chosen(request: HttpRequest) -> Any:
    """Return the files that are named one by one, or all that the present filter shows."""
    if request.POST.get("all") == "1":
        return files_for(request.user, wanted_of(request.POST))
    ids = [int(text) for text in request.POST.getlist("file")[:MOST_CHOSEN] if text.isascii() and text.isdigit()]
    return SourceFile.objects.visible_to(request.user).filter(pk__in=ids)


def _list(request: HttpRequest) -> dict[str, Any]:
    page = page_of(request)
    query = request.GET.copy()
    query.pop("page", None)
    return {
        "page": page,
        "rows": rows_of(list(page.object_list), request.user),
        "groups": _groups(request),
        "show": request.GET.get("show", ""),
        "query": query.urlencode(),
    }


def _groups(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the filters of the list with the number of files behind each."""
    wanted = wanted_of(request.GET)
    counts = counts_by_state(files_for(request.user, type(wanted)(wanted.domain, wanted.collection, (), wanted.text)))
    groups = [{"key": "", "label": "All", "count": sum(counts.values())}]
    for key, states in GROUPS.items():
        groups.append({"key": key, "label": GROUP_LABELS[key], "count": sum(counts.get(state.value, 0) for state in states)})
    return groups


def _collection_shown(pk: int | None, collections: list[Collection]) -> dict[str, Any] | None:
    found = next((collection for collection in collections if collection.pk == pk), None)
    return {"collection": found, "share": round(100 * searchable_share(found))} if found else None


def _actor(request: HttpRequest) -> Any:
    return request.user


def _refused(cause: str, advice: str) -> JsonResponse:
    return JsonResponse({"error": cause, "advice": advice}, status=400)
