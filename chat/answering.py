"""From a question to an answer: what Klea does with a turn, in order."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import DatabaseError
from django.utils import timezone

from chat import runs
from chat.core.rendering import render
from chat.event_log import EventLog
from chat.model_access import ModelAccess, ledger_written
from chat.model_choice import assignments_for
from chat.models import Turn
from chat.offloading import in_thread
from chat.provider_error import ProviderError
from chat.stages.answer import answer as write_answer
from chat.stages.guard import guard
from chat.stages.plan import cards_for, plan
from chat.stages.remember import remember
from chat.stages.retrieve import retrieve
from chat.stages.verify import verify
from chat.turn_run import TurnRun

logger = logging.getLogger(__name__)
EARLIER_TURNS = 6
UNEXPECTED = "Something went wrong inside Klea while it answered."
UNEXPECTED_ADVICE = (
    "The question was kept. Ask again; if it happens again, tell an administrator, who finds the cause in the log."
)
DATABASE_GONE = "The database did not answer."
DATABASE_ADVICE = "The question was kept. Try again in a minute."


async def answer(turn_id: int) -> None:
    """Answer the question of a turn; what happens is told by events, and the turn's row says how it ended."""
    run = await opened(turn_id)
    try:
        await _through_the_stages(run)
        await _finish(run, Turn.State.FINISHED)
    except asyncio.CancelledError:
        if not runs.was_stopped(turn_id):
            raise
        await _finish(run, Turn.State.STOPPED)
    except Exception as error:  # noqa: BLE001 -- whatever it is, the turn is marked failed and the server lives
        await _fail(run, error)
    finally:
        await run.log.close()
        await ledger_written()


async def _through_the_stages(run: TurnRun) -> None:
    run.log.emit("turn.started", question=run.question, fixed_domains=run.fixed_domains)
    if not await guard(run):
        return
    if not await plan(run):
        return
    await retrieve(run)
    await write_answer(run)
    await verify(run)
    await remember(run)


def start(turn_id: int) -> asyncio.Task[None]:
    """Begin to answer a turn in this process; the run outlives the caller."""
    return runs.begin(turn_id, answer(turn_id))


async def opened(turn_id: int) -> TurnRun:
    """Return the run of a turn that is about to be answered."""
    facts = await in_thread(_facts_of, turn_id)
    log = EventLog(turn_id)
    models = ModelAccess(
        assignments=facts.pop("assignments"),
        turn_id=turn_id,
        user_id=facts["user"].pk,
        deadline=time.monotonic() + settings.TURN_SECONDS,
    )
    run = TurnRun(turn_id=turn_id, log=log, models=models, **facts)
    models.on_retry = run.notice
    return run


def _facts_of(turn_id: int) -> dict[str, Any]:
    """Read what a run needs to know, in one visit to the database, and mark the turn as running."""
    turn = Turn.objects.select_related("session").get(pk=turn_id)
    Turn.objects.filter(pk=turn_id, state=Turn.State.WAITING).update(state=Turn.State.RUNNING, heartbeat=timezone.now())
    session = turn.session
    user = get_user_model().objects.get(pk=session.owner_id)
    fixed = list(session.domains.values_list("slug", flat=True))
    cards = cards_for(user, fixed or None)
    before = session.turns.filter(ordinal__lt=turn.ordinal, state=Turn.State.FINISHED).order_by("-ordinal")[:EARLIER_TURNS]
    return {
        "user": user,
        "question": turn.question,
        "cards": cards,
        "fixed_domains": bool(fixed),
        "earlier": tuple((t.standalone_question or t.question, t.answer) for t in reversed(before)),
        "summary": session.summary,
        "assignments": assignments_for(list(session.domains.values_list("pk", flat=True)), session.models_by_role),
    }


async def _finish(run: TurnRun, state: Turn.State) -> None:
    """Store the turn as its reader saw it, then say so."""
    text = run.log.text
    kind = "stopped" if state == Turn.State.STOPPED else "finished"
    store = partial(_store, run, state=state, error="")
    await run.log.conclude(kind, store, answer=text, kind=run.kind, html=_html(run, text), took_ms=run.took_ms())


def explained(error: Exception) -> tuple[str, str, bool]:
    """Return what happened, what to do, and whether trying again may help, for a reader."""
    if isinstance(error, ProviderError):
        return error.message, error.advice, error.retryable
    if isinstance(error, DatabaseError):
        return DATABASE_GONE, DATABASE_ADVICE, True
    advice = getattr(error, "advice", None)
    if isinstance(advice, str) and advice:
        return getattr(error, "cause", "") or str(error), advice, bool(getattr(error, "retryable", False))
    return UNEXPECTED, UNEXPECTED_ADVICE, True


async def _fail(run: TurnRun, error: Exception) -> None:
    logger.error("Turn %s failed: %s", run.turn_id, error, exc_info=error)
    message, advice, retry = explained(error)
    run.trace["failure"] = {"error": type(error).__name__, "detail": str(error)[:500]}
    store = partial(_store, run, state=Turn.State.FAILED, error=f"{message} {advice}")
    try:
        await run.log.conclude("failed", store, message=message, advice=advice, retry=retry)
    except DatabaseError:
        logger.exception("The failure of turn %s could not be stored; its heartbeat will tell.", run.turn_id)


def _store(run: TurnRun, *, state: Turn.State, error: str) -> None:
    Turn.objects.filter(pk=run.turn_id).update(
        standalone_question=run.standalone if run.standalone != run.question else "",
        domains=list(run.domains),
        answer=run.log.text,
        kind=run.kind,
        state=state,
        error=error,
        trace=run.trace,
        reproduction=reproduction_of(run),
        finished=timezone.now(),
    )


def reproduction_of(run: TurnRun) -> dict[str, Any]:
    """Return what is needed to run the turn again: models, and the chunks that were read."""
    return {
        "model": {"provider": run.models.provider("answer").name, "model": run.models.model_of("answer")},
        "chunks": [source.chunk_id for source in run.sources],
    }


def _html(run: TurnRun, text: str) -> str:
    known = {address for source in run.sources for _, address in source.as_shown()["links"]}
    return render(
        text,
        markers={source.n for source in run.sources},
        link_is_known=lambda address: address in known or address in run.question,
    )
