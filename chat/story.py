"""How stored turns came about, as the page shows it again: steps with their times, notices, sources that nothing cites."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chat.core.rendering import numbers_in
from chat.models import Session, TurnEvent
from corpus.models.visibility import type_of_user

TOLD = ("stage.finished", "notice", "sources", "finished", "stopped")


def with_stories(turns: Iterable[dict[str, Any]], session: Session, user: type_of_user) -> list[dict[str, Any]]:
    """Return the turns of a session, each with its `story`."""
    stories: dict[int, dict[str, Any]] = {}
    events = TurnEvent.objects.visible_to(user).filter(turn__session=session, type__in=TOLD).order_by("turn_id", "seq")
    for turn_id, kind, payload in events.values_list("turn_id", "type", "payload"):
        _tell(stories.setdefault(turn_id, _untold()), kind, payload)
    return [{**turn, "story": _kept(stories.get(turn["id"]) or _untold(), turn)} for turn in turns]


def _untold() -> dict[str, Any]:
    return {"stages": [], "notices": [], "sources": [], "took_ms": None}


def _tell(story: dict[str, Any], kind: str, payload: dict[str, Any]) -> None:
    match kind:
        case "stage.finished":
            story["stages"].append(payload)
        case "notice":
            story["notices"].append(payload)
        case "sources":
            story["sources"] = payload.get("sources", [])
        case _:
            story["took_ms"] = payload.get("took_ms")


def _kept(story: dict[str, Any], turn: dict[str, Any]) -> dict[str, Any]:
    """Keep the sources that the answer mentions without citing them; cited ones come with their citations."""
    wanted = numbers_in(turn["answer"]) - {citation["marker"] for citation in turn["citations"]}
    return {**story, "sources": [source for source in story["sources"] if source.get("n") in wanted]}
