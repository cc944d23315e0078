"""The review workspace: one paper after the other, the page left, the fields right, everything by keyboard."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_GET, require_POST

from corpus import review
from corpus.admin.review_data import entry_data
from corpus.models import MetadataEntry

BODY_MAX = 100_000
CLEAR = 0.1


def review_urls(wrap: Callable[..., Any]) -> list[URLPattern]:
    """Return the workspace's addresses; `wrap` is the admin site's check that somebody of the staff is signed in."""
    return [
        path("review/", wrap(workspace), name="review"),
        path("review/next/", wrap(following), name="review-next"),
        path("review/<int:entry_id>/", wrap(one), name="review-entry"),
        path("review/<int:entry_id>/do/", wrap(decide), name="review-decide"),
        path("review/accept-clear/", wrap(accept_clear), name="review-accept-clear"),
    ]


@require_GET
def workspace(request: HttpRequest) -> HttpResponse:
    """Show the first paper of the queue."""
    queue = review.queue(_user(request))
    first = queue.first()
    context = {
        **admin.site.each_context(request),
        "title": "Review",
        "page": {
            "entry": entry_data(first) if first else None,
            "waiting": queue.count(),
            "clear": queue.filter(doubt__lte=CLEAR).count(),
        },
    }
    return render(request, "admin/review.html", context)


@require_GET
def following(request: HttpRequest) -> JsonResponse:
    """Return the next paper behind those that the page names (``after=1,2``), and how many wait."""
    seen = [int(part) for part in request.GET.get("after", "").split(",") if part.isdigit()][:500]
    queue = review.queue(_user(request))
    entry = queue.exclude(pk__in=seen).first()
    return JsonResponse({"entry": entry_data(entry) if entry else None, "waiting": queue.count()})


@require_GET
def one(request: HttpRequest, entry_id: int) -> JsonResponse:
    """Return a paper as it is now."""
    entry = MetadataEntry.objects.visible_to(request.user).filter(pk=entry_id).first()
    if entry is None:
        return _told("There is no such entry.", "Take the next one.", status=404)
    return JsonResponse({"entry": entry_data(entry)})


@require_POST
def decide(request: HttpRequest, entry_id: int) -> JsonResponse:
    """Do what the curator asks: accept, skip, reopen, edit, choose, release, undo or look up."""
    try:
        asked = json.loads(request.body[:BODY_MAX] or b"{}")
    except ValueError:
        return _told("The request can't be read.", "Reload the page.", status=400)
    if not isinstance(asked, dict):
        return _told("The request can't be read.", "Reload the page.", status=400)
    try:
        entry = _decide(_user(request), entry_id, asked)
    except review.EntryChanged as changed:
        return _told(str(changed), changed.advice, status=409)
    except (ValueError, LookupError) as error:
        return _told(str(error), "Nothing was changed.", status=400)
    return JsonResponse({"entry": entry_data(entry), "waiting": review.queue(_user(request)).count()})


@require_POST
def accept_clear(request: HttpRequest) -> JsonResponse:
    """Accept every waiting paper about which there is hardly any doubt."""
    count = review.accept_below(_user(request), review.queue(_user(request)), CLEAR)
    return JsonResponse({"accepted": count, "waiting": review.queue(_user(request)).count()})


def _decide(user: User, entry_id: int, asked: dict[str, Any]) -> MetadataEntry:
    version = asked.get("version") if isinstance(asked.get("version"), int) else None
    plain = {"accept": review.accept, "skip": review.skip, "reopen": review.reopen}
    match asked:
        case {"do": str(verb)} if verb in plain:
            return plain[verb](user, entry_id, version=version)
        case {"do": "undo"}:
            return review.undo(user, entry_id)
        case {"do": "look_up"}:
            return review.look_up(user, entry_id)[0]
        case {"do": "edit", "values": dict(values)}:
            return review.edit(user, entry_id, values, version=version)
        case {"do": "choose", "candidate": int(candidate)}:
            return review.choose(user, candidate, version=version)
        case {"do": "release", "field": str(field)}:
            return review.release(user, entry_id, field, version=version)
    raise ValueError("This can't be done. Known: accept, skip, reopen, edit, choose, release, undo, look_up.")


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


def _told(error: str, advice: str, *, status: int) -> JsonResponse:
    return JsonResponse({"error": error, "advice": advice}, status=status)
