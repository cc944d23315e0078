"""Choosing by a table of contents: which chunks stand under the headings that fit a question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from retrieval.core.hit import Hit, Run, best_first

HIGHEST_MARK: Final = 5
LEAST_SCORE: Final = 0.3


@dataclass(frozen=True)
class Heading:
    """A heading with the chunks from its own on to the next heading's."""

    title: str
    level: int
    chunks: tuple[int, ...]


def headings_of(chains: Sequence[tuple[int, Sequence[str]]]) -> tuple[Heading, ...]:
    """Make the table of contents of a file from its chunks' heading chains, in order. No model is needed.

    >>> [(h.title, h.level, h.chunks) for h in headings_of([(1, ["A"]), (2, ["A", "B"]), (3, ["C"])])]
    [('A', 1, (1, 2)), ('B', 2, (2,)), ('C', 1, (3,))]
    """
    found: dict[tuple[str, ...], list[int]] = {}
    for chunk_id, chain in chains:
        for depth in range(1, len(chain) + 1):
            found.setdefault(tuple(chain[:depth]), []).append(chunk_id)
    return tuple(Heading(chain[-1], len(chain), tuple(chunks)) for chain, chunks in found.items())


def scores_by_marks(headings: Sequence[Heading], marks: Sequence[float], *, limit: int) -> Run:
    """Score chunks by the marks of the headings that hold them.

    Args:
        headings: of one file.
        marks: one a heading, 5 fits best, below 1 doesn't count.
        limit: at most twice as many chunks come back.

    Returns:
        Best first, scores 0.3 to 1: the mean of the marks, as parts of 5.

    >>> scores_by_marks([Heading("A", 1, (1, 2)), Heading("B", 1, (2, 3))], [5, 1], limit=6)
    (Hit(chunk_id=1, score=1.0), Hit(chunk_id=2, score=0.6))
    """
    marked: dict[int, list[float]] = {}
    for heading, mark in zip(headings, marks, strict=True):
        if mark >= 1:
            for chunk_id in heading.chunks:
                marked.setdefault(chunk_id, []).append(min(mark, HIGHEST_MARK) / HIGHEST_MARK)
    means = {chunk_id: math.fsum(parts) / len(parts) for chunk_id, parts in marked.items()}
    return best_first({chunk_id: mean for chunk_id, mean in means.items() if mean >= LEAST_SCORE})[: 2 * limit]


def joined(run: Run, chosen: Run) -> Run:
    """Join a run with chunks that were chosen by headings: a chunk keeps the better of its scores, so none passes 1.

    >>> joined((Hit(1, 0.5), Hit(9, 0.6)), (Hit(1, 1.0),))
    (Hit(chunk_id=1, score=1.0), Hit(chunk_id=9, score=0.6))
    """
    best: Mapping[int, float] = {hit.chunk_id: hit.score for hit in chosen}
    merged = [Hit(hit.chunk_id, max(hit.score, best.get(hit.chunk_id, hit.score))) for hit in run]
    known = {hit.chunk_id for hit in run}
    merged += [hit for hit in chosen if hit.chunk_id not in known]
    return tuple(sorted(merged, key=lambda hit: -hit.score))
