"""Cases whose expected outcome is not ours, each with what we do instead and why.

A deviation counts only where our code does not give the outcome that the case asks for; what it gives then must be
exactly `ours`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Deviation:
    """What we do instead of what a case expects, and the reason."""

    suite: str
    case: str
    ours: Any
    reason: str


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "resolve_metadata",
        "middle_only_heading_is_not_tried",
        {"y": 1, "u": "b"},
        "A heading entry counts for every chunk below it, so any contiguous part of the chain matches, a middle one too.",
    ),
)


def deviation_of(suite: str, case: str) -> Deviation | None:
    """Return the deviation that is written down for a case, if there is one."""
    return next((entry for entry in DEVIATIONS if (entry.suite, entry.case) == (suite, case)), None)
