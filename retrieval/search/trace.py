"""Keeps what each step of a search did, for the debugger."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from retrieval.core.hit import Run


@dataclass
class Trace:
    """The steps of one search, in order."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    _began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def step(self, name: str, **facts: Any) -> Iterator[dict[str, Any]]:
        """Time a step; what the block writes into the dictionary is kept."""
        told: dict[str, Any] = {"name": name, **facts}
        began = time.perf_counter()
        try:
            yield told
        finally:
            told["took_ms"] = _ms(began)
            self.steps.append(told)

    def in_order(self, name: str, keys: list[tuple[int, int]]) -> None:
        """Put the steps of one name, which ran side by side, in the order of their stores and queries."""
        places = [place for place, step in enumerate(self.steps) if step["name"] == name]
        ordered = sorted((self.steps[place] for place in places), key=lambda step: keys.index((step["store"], step["query"])))
        for place, step in zip(places, ordered, strict=True):
            self.steps[place] = step

    def notice(self, text: str) -> None:
        """Say something to the reader, once."""
        if text not in self.notices:
            self.notices.append(text)

    def told(self, **facts: Any) -> dict[str, Any]:
        """Return the whole, as JSON can hold it."""
        return {**facts, "took_ms": _ms(self._began), "steps": self.steps, "notices": self.notices}


def as_pairs(run: Run) -> list[list[float]]:
    """Write a run as pairs of chunk and score; the rank is the place."""
    return [[hit.chunk_id, round(hit.score, 6)] for hit in run]


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 2)
