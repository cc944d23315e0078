"""Ask, follow, stop, rate."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from django.http import Http404, HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from chat import answering, runs
from chat.api.schemas import AskIn, ErrorOut, FeedbackIn, TurnOut
from chat.asking import ask, checked_question, open_session, rate, request_stop, session_of
from chat.following import Reader, follow
from chat.models import Turn
from chat.offloading import in_thread
from chat.transcript import turns_as_dicts
from corpus.models.visibility import type_of_user

router = Router()


@router.post("/ask", response={200: TurnOut, 400: ErrorOut, 404: ErrorOut, 409: ErrorOut, 413: ErrorOut, 422: ErrorOut})
async def ask_and_wait(request: HttpRequest, payload: AskIn) -> dict[str, Any]:
    """Ask a question and wait for the answer with its citations."""
    user = request.user
    turn = await in_thread(_asked, user, payload)
    await answering.start(turn.pk)
    return await in_thread(turn_for, user, turn.pk)


@router.post("/ask/stream", response={200: None})
async def ask_and_stream(request: HttpRequest, payload: AskIn) -> StreamingHttpResponse:
    """Ask a question and follow the answer as server-sent events: each `data` line is one event, `id` is its number.

    The run goes on when the connection ends; `GET /turns/{turn}/events?after=<id>` follows it again.
    """
    user = request.user
    turn = await in_thread(_asked, user, payload)
    answering.start(turn.pk)
    return _stream(user, turn.pk, after=0)


@router.get("/turns/{int:turn_id}", response={200: TurnOut, 404: ErrorOut})
def one_turn(request: HttpRequest, turn_id: int) -> dict[str, Any]:
    """Return a question with its answer and citations."""
    return turn_for(request.user, turn_id)


@router.get("/turns/{int:turn_id}/events", response={200: None, 404: ErrorOut})
async def follow_turn(
    request: HttpRequest, turn_id: int, after: Annotated[int, Query(ge=0, lt=2**31)] = 0
) -> StreamingHttpResponse:
    """Follow a turn from event `after` on, as server-sent events."""
    await in_thread(turn_for, request.user, turn_id)
    return _stream(request.user, turn_id, after=after)


@router.post("/turns/{int:turn_id}/stop", response={200: TurnOut, 404: ErrorOut})
async def stop(request: HttpRequest, turn_id: int) -> dict[str, Any]:
    """Stop an answer that is being written; what was said is kept."""
    await in_thread(request_stop, request.user, turn_id)
    runs.stop_here(turn_id)
    return await in_thread(turn_for, request.user, turn_id)


@router.post("/turns/{int:turn_id}/feedback", response={200: TurnOut, 404: ErrorOut, 422: ErrorOut})
def feedback(request: HttpRequest, turn_id: int, payload: FeedbackIn) -> dict[str, Any]:
    """Say whether an answer is good."""
    rate(request.user, turn_id, value=payload.value, text=payload.text)
    return turn_for(request.user, turn_id)


def _asked(user: type_of_user, payload: AskIn) -> Turn:
    checked_question(payload.question)
    if payload.session is None:
        session = open_session(user, domains=payload.domains or ())
        return ask(user, session, payload.question)
    return ask(user, session_of(user, payload.session), payload.question, domains=payload.domains)


def turn_for(user: type_of_user, turn_id: int) -> dict[str, Any]:
    """Return a turn as `user` may see it.

    Raises:
        Http404: it isn't the user's.
    """
    turn = Turn.objects.visible_to(user).filter(pk=turn_id).first()
    if turn is None:
        raise Http404("There is no such turn.")
    return turns_as_dicts([turn], user)[0]


def _stream(user: type_of_user, turn_id: int, *, after: int) -> StreamingHttpResponse:
    reader = Reader(user, turn_id)
    batches = follow(turn_id, after=after, may_read=reader.may_read)
    response = StreamingHttpResponse(_as_sse(batches), content_type="text/event-stream; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response


async def _as_sse(batches: AsyncIterator[Sequence[dict[str, Any]]]) -> AsyncIterator[str]:
    async for batch in batches:
        if not batch:
            yield ": heartbeat\n\n"
        for event in batch:
            yield f"id: {event['seq']}\nevent: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
