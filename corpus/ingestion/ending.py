"""How a stage's end shows on the file: one total function from what was raised to outcome, state and words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from corpus.blobs import StorageError
from corpus.models import Outcome, State
from corpus.stage import Cancelled, Halt, Partial, StageError


@dataclass(frozen=True)
class Ending:
    """What is recorded.

    Attributes:
        outcome: of the attempt.
        state: the file's new state; None: the next stage follows.
        detail: on the attempt and, where the state changes, on the file.
        retryable: it may pass by itself, so it is tried again later.
    """

    outcome: Outcome
    state: State | None
    detail: dict[str, Any] = field(default_factory=dict)
    retryable: bool = False


def good(detail: dict[str, Any]) -> Ending:
    """Return the ending of a stage that did all it should."""
    return Ending(Outcome.GOOD, None, detail)


def ending_of(error: Exception, stage: str) -> Ending:
    """Return the ending that an exception of a stage leads to."""
    match error:
        case Cancelled():
            told = {"cancelled": True, "stage": stage, "cause": "Cancelled by a person.", "advice": "Retry takes it up again."}
            return Ending(Outcome.ABANDONED, State.CANCELLED, told)
        case Halt():
            return Ending(Outcome.HALTED, error.state, _told(stage, error.cause, error.advice))
        case Partial():
            return Ending(Outcome.PARTIAL, None, _told(stage, error.cause, error.advice) | {"missing": error.missing})
        case StageError():
            told = _told(stage, error.cause, error.advice) | error.detail | {"retryable": error.retryable}
            return Ending(Outcome.FAILED, State.FAILED, told, error.retryable)
        case StorageError():
            return Ending(Outcome.FAILED, State.FAILED, _told(stage, str(error), error.advice), error.retryable)
        case MemoryError():
            return Ending(Outcome.FAILED, State.FAILED, _told(stage, "Out of memory.", "Give the worker more, then retry."))
        case _:
            told = _told(stage, f"Unexpected error: {type(error).__name__}: {str(error)[:500]}", _UNEXPECTED)
            return Ending(Outcome.FAILED, State.FAILED, told | {"unexpected": True})


def death(stage: str, times: int) -> Ending:
    """Return the ending of a file at which the worker itself died again and again."""
    cause = f"The worker died {times} times in a row at this stage."
    advice = "Look at the machine's memory and the worker's log, then retry."
    return Ending(Outcome.FAILED, State.FAILED, _told(stage, cause, advice))


_UNEXPECTED = "Retry; if it happens again, the worker's log has the details for a report."


def _told(stage: str, cause: str, advice: str) -> dict[str, Any]:
    return {"stage": stage, "cause": cause, "advice": advice}
