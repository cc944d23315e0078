"""The record of what was tried on a file: begun, ended, abandoned; and what of it still counts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Final

from django.db.models.functions import Now

from corpus.ingestion.pipeline import Step
from corpus.models import Outcome, SourceFile, StageAttempt

DONE: Final = (Outcome.GOOD, Outcome.PARTIAL)


def last_done(source_file: SourceFile) -> dict[str, StageAttempt]:
    """Return the last attempt of each stage that produced something."""
    rows = source_file.attempts.filter(outcome__in=DONE).order_by("stage", "-started", "-pk").distinct("stage")
    return {row.stage: row for row in rows}


def begin(source_file: SourceFile, step: Step) -> StageAttempt:
    """Record that a stage starts."""
    return StageAttempt.objects.create(source_file=source_file, stage=step.stage.name, version=step.stage.version, key=step.key)


def end(attempt: StageAttempt, outcome: Outcome, detail: dict[str, Any], *, began: float) -> None:
    """Record how a stage ended; `began` is the monotonic clock at its start."""
    kept = dict(detail)
    attempt.peak_bytes = kept.pop("peak_bytes", None)
    attempt.outcome = outcome
    attempt.detail = kept
    attempt.took_ms = int((time.monotonic() - began) * 1000)
    attempt.finished = Now()
    attempt.save(update_fields=["outcome", "detail", "took_ms", "finished", "peak_bytes"])


def forget_done(source_files: Iterable[int], names: Iterable[str]) -> None:
    """Let the attempts of some stages count no longer, so that the stages run again."""
    StageAttempt.objects.filter(source_file__in=list(source_files), stage__in=list(names), outcome__in=DONE).update(key="")


def start_afresh(source_files: Iterable[int]) -> None:
    """Let nothing count that failed or left something out, so that a person's retry tries everything again."""
    rows = StageAttempt.objects.filter(source_file__in=list(source_files)).exclude(outcome__in=[Outcome.GOOD, Outcome.RUNNING])
    rows.update(key="")


def give_up(attempt: StageAttempt) -> None:
    """Mark an attempt whose file was taken away: cancelled, replaced or removed."""
    StageAttempt.objects.filter(pk=attempt.pk, outcome=Outcome.RUNNING).update(
        outcome=Outcome.ABANDONED,
        finished=Now(),
        detail={"cancelled": True, "cause": "The file was replaced or removed."},
    )


def abandon_running(source_file_id: int) -> None:
    """Mark what a killed process left running."""
    StageAttempt.objects.filter(source_file=source_file_id, outcome=Outcome.RUNNING).update(
        outcome=Outcome.ABANDONED, finished=Now(), detail={"cause": "The process ended before the stage did."}
    )


def deaths_in_a_row(source_file: SourceFile, step: Step) -> int:
    """Count how often, without a break, this step was abandoned because its process died."""
    rows = source_file.attempts.filter(stage=step.stage.name, key=step.key).order_by("-started", "-pk")[:20]
    count = 0
    for row in rows:
        if row.outcome != Outcome.ABANDONED or row.detail.get("cancelled"):
            break
        count += 1
    return count


def failures_in_a_row(source_file: SourceFile, step: Step) -> int:
    """Count how often, without a success between, this step failed for a passing reason."""
    rows = source_file.attempts.filter(stage=step.stage.name, key=step.key).order_by("-started", "-pk")[:20]
    count = 0
    for row in rows:
        if row.outcome == Outcome.FAILED and not row.detail.get("retryable"):
            break
        if row.outcome in DONE:
            break
        count += row.outcome == Outcome.FAILED
    return count
