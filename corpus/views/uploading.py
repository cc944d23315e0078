"""Take files in from the browser: in one request, or in pieces that go on where they broke off."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from corpus.access import require
from corpus.archive import is_archive_name
from corpus.blobs import StorageError, StorageFull
from corpus.core.media_type import Refused, kind_by_name
from corpus.core.relative_path import BadPath, clean_path
from corpus.fetching import FetchRefused
from corpus.models import Collection, Role
from corpus.partial_upload import PIECE_MAX, PartialUpload, WrongOffset, by_token
from corpus.upload import TakenIn, take_in, take_in_address, take_in_uploaded


@login_required
@require_POST
def upload(request: HttpRequest) -> JsonResponse:
    """Take in the files of one request (a form without script, or a small program)."""
    collection = _collection(request, request.POST.get("collection", ""))
    outcomes: list[TakenIn] = []
    paths = request.POST.getlist("path")
    try:
        for number, file in enumerate(request.FILES.getlist("file")):
            path = paths[number] if number < len(paths) else ""
            outcomes += take_in_uploaded(collection, file, path=path, by=_actor(request))
    except StorageFull as error:
        return _error(507, error, outcomes)
    if not outcomes:
        return JsonResponse({"error": "No file came with the request.", "advice": "Choose one or more files."}, status=400)
    return JsonResponse({"files": [asdict(one) for one in outcomes]})


@login_required
@require_POST
def fetch(request: HttpRequest) -> JsonResponse:
    """Take in a file from an address on the web."""
    collection = _collection(request, request.POST.get("collection", ""))
    try:
        outcomes = take_in_address(collection, request.POST.get("url", "")[:2000], by=_actor(request))
    except FetchRefused as error:
        return JsonResponse({"error": str(error), "advice": error.advice}, status=422)
    except StorageFull as error:
        return _error(507, error, [])
    return JsonResponse({"files": [asdict(one) for one in outcomes]})


@login_required
@require_POST
def begin(request: HttpRequest) -> JsonResponse:
    """Say early whether a file would be taken, and where its upload begins or goes on."""
    asked = _json(request)
    collection = _collection(request, str(asked.get("collection", "")))
    path, size = str(asked.get("path", "")), asked.get("size")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        return JsonResponse({"error": "The size of the file is missing.", "advice": "Send size in bytes."}, status=400)
    try:
        clean = clean_path(path)
        if not is_archive_name(clean):
            kind_by_name(clean)
        _check_size(size)
    except Refused as error:
        return JsonResponse({"error": error.cause, "advice": error.advice, "code": error.code}, status=422)
    except BadPath as error:
        return JsonResponse({"error": str(error), "advice": "Rename the file.", "code": "bad_name"}, status=422)
    part = PartialUpload(_actor(request).pk, collection.pk, clean, size, str(asked.get("mark", ""))[:100])
    return JsonResponse({"upload": part.token, "offset": part.offset, "piece": PIECE_MAX})


@never_cache
@login_required
@require_http_methods(["PUT"])
def piece(request: HttpRequest, token: str) -> JsonResponse:
    """Add the next piece; with the last one the file is taken in."""
    part = by_token(token, _actor(request).pk)
    if part is None:
        raise Http404("There is no such upload.")
    collection = _collection(request, str(part.collection_id))
    try:
        offset = part.append(request.body, at=_offset(request))
    except WrongOffset as error:
        return JsonResponse({"error": str(error), "advice": error.advice, "offset": error.offset}, status=409)
    except StorageFull as error:
        return _error(507, error, [])
    if offset < part.size:
        return JsonResponse({"offset": offset})
    try:
        return JsonResponse({"offset": offset, "files": [asdict(one) for one in _finished(part, collection, request)]})
    except StorageError as error:
        return _error(507, error, [])


def _finished(part: PartialUpload, collection: Collection, request: HttpRequest) -> list[TakenIn]:
    if part.size == 0:
        part.place.parent.mkdir(parents=True, exist_ok=True)
        part.place.touch()
    with part.place.open("rb") as file:
        outcomes = take_in(collection, name=part.path, file=file, by=_actor(request))
    part.discard()
    return outcomes


def _check_size(size: int) -> None:
    if size > settings.UPLOAD_MAX_BYTES:
        limit = settings.UPLOAD_MAX_BYTES // (1024 * 1024)
        raise Refused("too_large", f"The file is larger than {limit} MB.", "Split it, or ask the operator to raise the limit.")
    if size == 0:
        raise Refused("empty", "The file is empty (0 bytes).", "Copy or download it again.")


def _collection(request: HttpRequest, pk: str) -> Collection:
    """Return the collection if the user may upload to it; what one may not see is 404."""
    if not (pk.isascii() and pk.isdigit()):
        raise Http404("There is no such collection.")
    visible = Collection.objects.visible_to(request.user).select_related("domain")
    collection: Collection = get_object_or_404(visible, pk=int(pk))
    require(request.user, collection.domain, Role.CURATOR)
    return collection


def _offset(request: HttpRequest) -> int:
    text = request.headers.get("Upload-Offset", "")
    return int(text) if text.isascii() and text.isdigit() else -1


def _json(request: HttpRequest) -> dict[str, Any]:
    try:
        found = json.loads(request.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _actor(request: HttpRequest) -> Any:
    return request.user


def _error(status: int, error: StorageError, outcomes: list[TakenIn]) -> JsonResponse:
    told = {"error": str(error), "advice": error.advice, "files": [asdict(one) for one in outcomes]}
    return JsonResponse(told, status=status)
