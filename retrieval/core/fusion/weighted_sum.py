"""Fusion by a weighted sum of scores on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from retrieval.core.hit import Run, best_first


def weighted_sum_fusion(runs: Sequence[Run], weights: Sequence[float]) -> Run:
    """Merge runs by the weighted sum of their scores, each run's scores stretched to 0..1 first.

    A run whose scores are all alike counts 1 for each of its hits; a chunk gains nothing from a run that lacks it. Sums are
    exact, so the order of `runs` does not matter.

    Args:
        runs: best first; no chunk twice in a run.
        weights: as many as runs, none negative; their sum bounds the scores.

    Returns:
        The union of the runs, best first; equal scores stand in the order of their chunk ids.

    Raises:
        ValueError: a weight is negative, or there are not as many weights as runs.

    >>> from retrieval.core.hit import Hit
    >>> dense, sparse = (Hit(7, 0.9), Hit(3, 0.8)), (Hit(3, 11.0), Hit(5, 2.0))
    >>> [hit.chunk_id for hit in weighted_sum_fusion([dense, sparse], [0.3, 0.7])]
    [3, 7, 5]
    """
    if any(weight < 0 for weight in weights):
        raise ValueError("A weight of a run is at least 0.")
    parts: dict[int, list[float]] = {}
    for run, weight in zip(runs, weights, strict=True):
        low, high = min((hit.score for hit in run), default=0.0), max((hit.score for hit in run), default=0.0)
        for hit in run:
            stretched = (hit.score - low) / (high - low) if high > low else 1.0
            parts.setdefault(hit.chunk_id, []).append(weight * stretched)
    return best_first({chunk_id: math.fsum(gains) for chunk_id, gains in parts.items()})
