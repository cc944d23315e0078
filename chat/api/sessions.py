"""List, open, rename, delete and export conversations."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import Query, Router, Status

from chat import runs
from chat.api.schemas import ErrorOut, SessionChange, SessionIn, SessionOut, SessionWithTurns
from chat.asking import change_session, choose_models, delete_session, interrupt_lost_turns, open_session, session_of
from chat.models import Session, Turn
from chat.offloading import in_thread
from chat.transcript import as_markdown, session_as_dict, sessions_with, turns_of

router = Router()


@router.get("/sessions", response=list[SessionOut])
def list_sessions(
    request: HttpRequest,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    find: Annotated[str, Query(max_length=200, description="Words of a title, a question or an answer.")] = "",
) -> list[dict[str, Any]]:
    """List your sessions, the latest first."""
    sessions = sessions_with(request.user, find) if find.strip() else Session.objects.visible_to(request.user)
    return [session_as_dict(session) for session in sessions.prefetch_related("domains")[offset : offset + limit]]


@router.post("/sessions", response={201: SessionOut, 404: ErrorOut})
def create_session(request: HttpRequest, payload: SessionIn) -> Status[dict[str, Any]]:
    """Open a session."""
    return Status(201, session_as_dict(open_session(request.user, title=payload.title, domains=payload.domains)))


@router.get("/sessions/{int:session_id}", response={200: SessionWithTurns, 404: ErrorOut})
def one_session(request: HttpRequest, session_id: int) -> dict[str, Any]:
    """Return a session with its turns."""
    session = session_of(request.user, session_id)
    interrupt_lost_turns(session)
    return {**session_as_dict(session), "turns": turns_of(session, request.user)}


@router.patch("/sessions/{int:session_id}", response={200: SessionOut, 404: ErrorOut, 422: ErrorOut})
def edit_session(request: HttpRequest, session_id: int, payload: SessionChange) -> dict[str, Any]:
    """Rename a session, fix its domains, or choose its models."""
    session = change_session(request.user, session_id, title=payload.title, domains=payload.domains)
    if payload.models is not None:
        choose_models(session, payload.models)
    return session_as_dict(session)


@router.delete("/sessions/{int:session_id}", response={204: None, 404: ErrorOut})
async def remove_session(request: HttpRequest, session_id: int) -> Status[None]:
    """Delete a session with all its turns."""
    turns = await in_thread(_live_turns, session_id)
    await in_thread(delete_session, request.user, session_id)
    for turn_id in turns:
        runs.stop_here(turn_id)
    return Status(204, None)


def _live_turns(session_id: int) -> list[int]:
    return list(Turn.objects.filter(session_id=session_id, state__in=runs.LIVE_STATES).values_list("pk", flat=True))


@router.get("/sessions/{int:session_id}/export", response={200: None, 404: ErrorOut, 422: ErrorOut})
def export_session(request: HttpRequest, session_id: int, format: Literal["markdown", "json"] = "markdown") -> HttpResponse:  # noqa: A002
    """Export a session as Markdown or JSON, with the sources of every answer."""
    session = session_of(request.user, session_id)
    turns = turns_of(session, request.user)
    if format == "json":
        response: HttpResponse = JsonResponse(
            {**session_as_dict(session), "turns": turns}, json_dumps_params={"ensure_ascii": False}
        )
        name = f"klea-session-{session.pk}.json"
    else:
        response = HttpResponse(as_markdown(session, turns), content_type="text/markdown; charset=utf-8")
        name = f"klea-session-{session.pk}.md"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
