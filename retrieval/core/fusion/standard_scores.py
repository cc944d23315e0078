"""Fusion by standardised scores, with a look at what the best passages are about."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from retrieval.core.hit import Run, best_first
from retrieval.core.vector import Vector

FEEDBACK_FROM: Final = 3
FEEDBACK_WEIGHT: Final = 0.4


@dataclass(frozen=True)
class Ranking:
    """What one kind of retriever says to a question.

    Attributes:
        run: its hits, whose mean and spread its scores are standardised by.
        weight: how much it counts.
        known: scores of further chunks, on the same scale.
        can_hold: chunks that it could have found; None: any. Of others it says nothing (0).
    """

    run: Run
    weight: float
    known: Mapping[int, float] = field(default_factory=dict)
    can_hold: Collection[int] | None = None


def standard_score_fusion(rankings: Sequence[Ranking], *, vectors: Mapping[int, Vector] | None = None) -> Run:
    """Merge rankings by the weighted sum of their standardised scores.

    A score is standardised by the mean and the standard deviation of its ranking's hits; a chunk that a ranking could have found
    and didn't counts as its last hit. Where vectors are given, a second look follows: how near each chunk is to the centre of
    the best three, standardised over all, is added with weight 0.4. So a passage that is about the same thing as the best ones
    rises above one that only shares words.

    Args:
        rankings: one or more.
        vectors: of chunks, of length 1, of one model; chunks without one get no second look.

    Returns:
        The union of the hits, best first; equal scores stand in the order of their chunk ids.

    Reference:
        Standardisation: Renda, Straccia, "Web metasearch: rank vs. score based rank aggregation methods", SAC 2003,
        doi:10.1145/952532.952698. The second look is Rocchio's feedback, over what was found instead of a second search.

    >>> from retrieval.core.hit import Hit
    >>> words = Ranking((Hit(1, 9.0), Hit(2, 3.0)), 0.6)
    >>> near = Ranking((Hit(2, 0.9), Hit(3, 0.8)), 0.4)
    >>> [hit.chunk_id for hit in standard_score_fusion([words, near])]
    [1, 2, 3]
    """
    chunks = sorted({hit.chunk_id for ranking in rankings for hit in ranking.run})
    totals = dict.fromkeys(chunks, 0.0)
    for ranking in rankings:
        for chunk_id, score in _standardised(ranking, chunks).items():
            totals[chunk_id] += ranking.weight * score
    if vectors:
        best = [hit.chunk_id for hit in best_first(totals) if hit.chunk_id in vectors][:FEEDBACK_FROM]
        for chunk_id, score in _nearness(best, chunks, vectors).items():
            totals[chunk_id] += FEEDBACK_WEIGHT * score
    return best_first(totals)


def _standardised(ranking: Ranking, chunks: Sequence[int]) -> dict[int, float]:
    if not ranking.run:
        return {}
    values = [hit.score for hit in ranking.run]
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    if spread == 0:
        spread = 1.0
    told = {**ranking.known, **{hit.chunk_id: hit.score for hit in ranking.run}}
    lowest = min(values)
    could = chunks if ranking.can_hold is None else [chunk_id for chunk_id in chunks if chunk_id in ranking.can_hold]
    return {chunk_id: (told.get(chunk_id, lowest) - mean) / spread for chunk_id in could}


def _nearness(best: Sequence[int], chunks: Sequence[int], vectors: Mapping[int, Vector]) -> dict[int, float]:
    held = [chunk_id for chunk_id in chunks if chunk_id in vectors]
    if len(held) <= FEEDBACK_FROM:
        return {}
    centre = np.mean([vectors[chunk_id] for chunk_id in best], axis=0)
    near = np.stack([vectors[chunk_id] for chunk_id in held]) @ centre
    spread = float(near.std())
    if spread == 0:
        return {}
    return dict(zip(held, ((near - near.mean()) / spread).tolist(), strict=True))
