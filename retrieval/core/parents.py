"""Small passages are found, the larger ones that hold them are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from retrieval.core.hit import Hit, Run


def with_parents(run: Run, parents: Mapping[int, int], *, readable: Collection[int], limit: int | None = None) -> Run:
    """Put parents in place of their children; a parent scores as its best child.

    A parent belongs to the same file as its children, so two files with one text have two parents. Children of a parent that
    can't be read stay themselves.

    Args:
        run: chunks, best first. Parents themselves are not among them: they are not indexed.
        parents: chunk to parent; a chunk without one is missing.
        readable: parents that exist and may be read.
        limit: stop when so many are found; give a longer run, so that it can be filled up.

    Returns:
        Parents and childless chunks, best first; equal ones in the order of the run.

    >>> run = (Hit(1, 0.9), Hit(3, 0.8), Hit(2, 0.5))
    >>> [(hit.chunk_id, hit.score) for hit in with_parents(run, {1: 10, 2: 10}, readable={10})]
    [(10, 0.9), (3, 0.8)]
    """
    best: dict[int, float] = {}
    for hit in run:
        parent = parents.get(hit.chunk_id)
        shown = hit.chunk_id if parent is None or parent not in readable else parent
        best[shown] = max(hit.score, best.get(shown, hit.score))
    ordered = sorted(best.items(), key=lambda item: -item[1])
    return tuple(Hit(chunk_id, score) for chunk_id, score in ordered[:limit])
