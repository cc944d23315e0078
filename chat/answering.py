"""From a question to an answer: what Klea does with a turn, in order."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from chat import runs
from chat.core.memory import Memory
from chat.core.rendering import render
from chat.core.verdict import Verdict
from chat.event_log import EventLog
from chat.model_access import ModelAccess, ledger_written
from chat.model_choice import assignments_for
from chat.models import Turn
from chat.offloading import in_thread
from chat.provider_error import ProviderError
from chat.stages.answer import answer as write_answer
from chat.stages.deliver import decline, deliver
from chat.stages.general import answer_generally
from chat.stages.guard import DECLINED, guard
from chat.stages.judge import judge
from chat.stages.plan import cards_for, plan, plan_again, where_to
from chat.stages.remember import remember
from chat.stages.retrieve import retrieve
from chat.stages.steps import take_steps
from chat.stages.summarise import memory_of, summarise
from chat.stages.verify import verify
from chat.turn_run import TurnRun

logger = logging.getLogger(__name__)
UNEXPECTED = "Something went wrong inside Klea while it answered."
UNEXPECTED_ADVICE = (
    "The question was kept. Ask again; if it happens again, tell an administrator, who finds the cause in the log."
)
DATABASE_GONE = "The database did not answer."
DATABASE_ADVICE = "The question was kept. Try again in a minute."


async def answer(turn_id: int) -> None:
    """Answer the question of a turn; what happens is told by events, and the turn's row says how it ended."""
    log = EventLog(turn_id)
    run: TurnRun | None = None
    try:
        run = await opened(turn_id, log)
        await _through_the_stages(run)
        await _finish(log, run, Turn.State.FINISHED)
    except asyncio.CancelledError:
        if not runs.was_stopped(turn_id):
            raise
        await _finish(log, run, Turn.State.STOPPED)
    except Exception as error:  # noqa: BLE001 -- whatever it is, the turn is marked failed and the server lives
        await _fail(log, run, error)
    else:
        await summarise(run)
    finally:
        await log.close()
        await ledger_written()


async def _through_the_stages(run: TurnRun) -> None:
    run.log.emit("turn.started", question=run.question, fixed_domains=run.fixed_domains)
    is_safe, planned = await asyncio.gather(guard(run), plan(run))
    if not is_safe:
        return decline(run, DECLINED)
    way = where_to(run, planned)
    if way == "general":
        return await answer_generally(run)
    if way != "library":
        return decline(run, way)
    await take_steps(run)
    await retrieve(run)
    await deliver(run, await _drafted(run))
    await remember(run)
    return None


async def _drafted(run: TurnRun) -> Verdict:
    """Draft, check and judge until the draft is good enough or the budget is spent."""
    while True:
        await write_answer(run)
        await verify(run)
        found = await judge(run)
        match found.outcome:
            case "retrieve_more":
                await retrieve(run)
            case "modify_query":
                await plan_again(run)
                await retrieve(run)
            case "rewrite_answer":
                run.rewrites += 1
            case _:
                return found


def start(turn_id: int) -> asyncio.Task[None]:
    """Begin to answer a turn in this process; the run outlives the caller."""
    return runs.begin(turn_id, answer(turn_id))


async def opened(turn_id: int, log: EventLog) -> TurnRun:
    """Return the run of a turn that is about to be answered."""
    facts = await in_thread(_facts_of, turn_id)
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
    turn = Turn.objects.select_related("session__owner").get(pk=turn_id)
    Turn.objects.filter(pk=turn_id, state=Turn.State.WAITING).update(state=Turn.State.RUNNING, heartbeat=timezone.now())
    session = turn.session
    user = session.owner
    fixed = dict(session.domains.values_list("slug", "pk"))
    cards = cards_for(user, list(fixed) or None)
    memory = memory_of(session, before=turn.ordinal) if turn.ordinal > 1 else Memory((), (), 0)
    return {
        "user": user,
        "question": turn.question,
        "cards": cards,
        "fixed_domains": bool(fixed),
        "earlier": tuple((told.question, told.answer) for told in (*memory.to_summarise, *memory.window)),
        "summary": session.summary,
        "assignments": assignments_for(list(fixed.values()), session.models_by_role),
    }


async def _finish(log: EventLog, run: TurnRun | None, state: Turn.State) -> None:
    """Store the turn as its reader saw it, then say so."""
    kind = "stopped" if state == Turn.State.STOPPED else "finished"
    store = partial(_store, log, run, state=state)
    told = (
        {"kind": run.kind, "html": _html(run, log.text), "took_ms": run.took_ms()}
        if run
        else {"kind": "", "html": "", "took_ms": 0}
    )
    await log.conclude(kind, store, answer=log.text, **told)


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


async def _fail(log: EventLog, run: TurnRun | None, error: Exception) -> None:
    message, advice, retry = explained(error)
    is_ours = message == UNEXPECTED
    logger.log(logging.ERROR if is_ours else logging.WARNING, "Turn %s failed: %s", log.turn_id, error, exc_info=is_ours)
    if run is not None:
        run.trace["failure"] = {"error": type(error).__name__, "detail": str(error)[:500]}
    store = partial(_store, log, run, state=Turn.State.FAILED, error=f"{message} {advice}")
    try:
        await log.conclude("failed", store, message=message, advice=advice, retry=retry)
    except DatabaseError:
        logger.exception("The failure of turn %s could not be stored; its heartbeat will tell.", log.turn_id)


def _store(log: EventLog, run: TurnRun | None, *, state: Turn.State, error: str = "") -> None:
    told: dict[str, Any] = {"answer": log.text, "state": state, "error": error, "finished": timezone.now()}
    if run is not None:
        told |= {
            "standalone_question": run.standalone if run.standalone != run.question else "",
            "domains": list(run.domains),
            "kind": run.kind,
            "trace": run.trace,
            "reproduction": reproduction_of(run),
        }
    Turn.objects.filter(pk=log.turn_id).update(**told)


def reproduction_of(run: TurnRun) -> dict[str, Any]:
    """Return what is needed to run the turn again: models, and the chunks that were read."""
    return {
        "model": {"provider": run.models.provider("answer").name, "model": run.models.model_of("answer")},
        "chunks": [source.chunk_id for source in run.sources],
    }


def _html(run: TurnRun, text: str) -> str:
    return render(text, markers={source.n for source in run.sources}, link_is_known=run.is_known_link)
