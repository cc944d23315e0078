"""Take files through the stages: an attempt is a row, a stage that is done is skipped, a kill at any point loses nothing."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models.functions import Now

from corpus.ingestion import attempts, lease, pipeline
from corpus.ingestion.ending import Ending, death, ending_of, good
from corpus.ingestion.lease import Lease, LeaseLost
from corpus.ingestion.sealing import unseal
from corpus.models import Outcome, SourceFile, StageAttempt, State
from corpus.models.source_file import SourceFileQuerySet
from corpus.stage import Stage, StageContext

MOST_DEATHS: Final = 5
MOST_FAILURES: Final = 4
MOST_CRASHES: Final = 3
FIRST_WAIT_S: Final = 15
DATABASE_TRIES: Final = 8

log = logging.getLogger(__name__)


def drain(*, scope: SourceFileQuerySet | None = None, seconds: float = 600, stop: Callable[[], bool] = lambda: False) -> int:
    """Take waiting files one after the other until none is left or the time is up.

    Args:
        scope: only files of this queryset; None: any file.
        seconds: start no further file after this time.
        stop: asked before each file.

    Returns:
        How many files were taken.
    """
    until, count, troubles = time.monotonic() + seconds, 0, 0
    while time.monotonic() < until and not stop():
        try:
            held = lease.take_next(scope)
            if held is None:
                return count
            _ingest(held, pipeline.stages())
            count, troubles = count + 1, 0
        except (OperationalError, InterfaceError) as error:
            troubles += 1
            if troubles >= DATABASE_TRIES or connection.in_atomic_block:
                raise
            log.warning("The database is away (%s); trying again.", error)
            connection.close()
            time.sleep(min(troubles, 5))
    return count


def ingest(source_file_id: int, *, stages: Sequence[Stage] | None = None) -> State | None:
    """Take one waiting file through the stages that it still needs.

    Returns:
        The state it came to; None if somebody else has it, it doesn't wait or it is gone.
    """
    held = lease.take(source_file_id)
    return _ingest(held, pipeline.stages() if stages is None else stages) if held else None


def needs(source_file: SourceFile, stages: Sequence[Stage], done: dict[str, StageAttempt]) -> str:
    """Return the name of the first stage that has to run; empty: all that can be done is done."""
    for step in pipeline.steps_of(source_file, stages):
        last = done.get(step.stage.name)
        if last is None or last.key != step.key:
            return step.stage.name
    return ""


def _ingest(held: Lease, stages: Sequence[Stage]) -> State | None:
    try:
        source_file = SourceFile.objects.select_related("collection__domain").get(pk=held.source_file_id)
        attempts.abandon_running(source_file.pk)
        return _through(source_file, held, stages)
    except LeaseLost:
        return None
    finally:
        held.release()


def _through(source_file: SourceFile, held: Lease, stages: Sequence[Stage]) -> State:
    context = StageContext(held.heartbeat, _progress_of(source_file), unseal(source_file))
    done = attempts.last_done(source_file)
    missing: list[dict[str, Any]] = []
    for step in pipeline.steps_of(source_file, stages):
        last = done.get(step.stage.name)
        if last is not None and last.key == step.key:
            ended = Ending(Outcome(last.outcome), None, last.detail)
        else:
            later = [stage.name for stage in stages[stages.index(step.stage) + 1 :]]
            ended = _attempt(source_file, step, held, context, later)
            for name in later:
                done.pop(name, None)
        if ended.state is not None:
            return ended.state
        if ended.outcome == Outcome.PARTIAL:
            missing.append(ended.detail)
    return _finish(held, missing)


def _attempt(source_file: SourceFile, step: pipeline.Step, held: Lease, context: StageContext, later: list[str]) -> Ending:
    """Run one stage and record how it ended, unless the file was taken from us meanwhile."""
    if (times := attempts.deaths_in_a_row(source_file, step)) >= MOST_DEATHS:
        ended = death(step.stage.name, times)
        _show(held, ended, wait_s=0)
        return ended
    attempt, began = _begin(source_file, step, held), time.monotonic()
    try:
        ended = _tried(source_file, step, held, context)
        with transaction.atomic():
            held.lock()
            attempts.end(attempt, ended.outcome, ended.detail, began=began)
            if ended.state is None:
                attempts.forget_done([source_file.pk], later)
            ended = _again_later(source_file, step, ended)
            _show(held, ended, wait_s=ended.detail.get("again_in_s", 0))
        return ended
    except LeaseLost:
        attempts.give_up(attempt)
        raise


def _tried(source_file: SourceFile, step: pipeline.Step, held: Lease, context: StageContext) -> Ending:
    try:
        held.check()
        return good(step.stage.run(source_file, context))
    except (LeaseLost, OperationalError, InterfaceError):
        raise
    except Exception as error:  # whatever it is: the attempt is recorded and the worker lives
        ended = ending_of(error, step.stage.name)
        if ended.detail.get("unexpected"):
            log.exception("Stage %s failed on file %s", step.stage.name, source_file.pk)
        return ended


def _begin(source_file: SourceFile, step: pipeline.Step, held: Lease) -> StageAttempt:
    with transaction.atomic():
        row = held.lock()
        row.stage = step.stage.name
        row.state = step.stage.shows
        row.save(update_fields=["stage", "state", "updated"])
        return attempts.begin(source_file, step)


def _again_later(source_file: SourceFile, step: pipeline.Step, ended: Ending) -> Ending:
    """Turn a failure that may pass by itself into a wait, a few times and ever longer."""
    if not ended.retryable:
        return ended
    failures, soon = attempts.failures_in_a_row(source_file, step), ended.detail.get("soon", False)
    if failures >= (MOST_CRASHES if soon else MOST_FAILURES):
        return ended
    wait_s = 1 if soon else FIRST_WAIT_S * 4 ** (failures - 1)
    return Ending(ended.outcome, State.QUEUED, ended.detail | {"again_in_s": wait_s})


def _show(held: Lease, ended: Ending, *, wait_s: int) -> None:
    """Write the file's new state; the lease ends with it, save that a wait keeps others away until it is over."""
    if ended.state is None:
        return
    ours = SourceFile.objects.filter(pk=held.source_file_id, lease_holder=held.holder)
    until = Now() + timedelta(seconds=wait_s) if wait_s else None
    ours.update(state=ended.state, state_detail=ended.detail, lease_holder="", lease_until=until, updated=Now())
    if ended.state != State.QUEUED:
        SourceFile.objects.filter(pk=held.source_file_id).update(cancel_requested=False, sealed="")


def _finish(held: Lease, missing: list[dict[str, Any]]) -> State:
    """Show READY, or PARTIAL with all that is missing."""
    state = State.PARTIAL if missing else State.READY
    detail: dict[str, Any] = {}
    if missing:
        detail = {
            "cause": " ".join(dict.fromkeys(part["cause"] for part in missing)),
            "advice": " ".join(dict.fromkeys(part["advice"] for part in missing)),
            "stage": missing[0]["stage"],
            "missing": {key: value for part in missing for key, value in part.get("missing", {}).items()},
        }
    with transaction.atomic():
        held.lock()
        _show(held, Ending(Outcome.GOOD, state, detail), wait_s=0)
    return state


def _progress_of(source_file: SourceFile) -> Callable[[int], None]:
    """Return the reporter of pages done; it writes at most once a second."""
    told = [time.monotonic()]

    def progress(pages: int) -> None:
        if time.monotonic() - told[0] >= 1:
            told[0] = time.monotonic()
            SourceFile.objects.filter(pk=source_file.pk).update(pages_done=pages)

    return progress
