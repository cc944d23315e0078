"""What a retriever returns: hits, best first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk and how well it fits; a score is always larger-is-better."""

    chunk_id: int
    score: float


Run = tuple[Hit, ...]
"""Hits of one query, best first; the first has rank 1; no chunk twice."""


def best_first(scores: dict[int, float]) -> Run:
    """Order scored chunks; equal scores stand in the order of the chunk ids.

    >>> [hit.chunk_id for hit in best_first({5: 1.0, 3: 2.0, 4: 1.0})]
    [3, 4, 5]
    """
    return tuple(Hit(chunk_id, score) for chunk_id, score in sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def ranks(run: Run) -> dict[int, int]:
    """Return the rank of each chunk of a run, from 1."""
    return {hit.chunk_id: rank for rank, hit in enumerate(run, start=1)}
