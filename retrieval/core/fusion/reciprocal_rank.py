"""Fusion by reciprocal ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from retrieval.core.hit import Run, best_first


def reciprocal_rank_fusion(runs: Sequence[Run], *, k: int = 60, weights: Sequence[float] | None = None) -> Run:
    """Merge runs by summing the reciprocals of the ranks.

    A chunk at rank r of a run (the first is 1) gains weight / (k + r) from it, and nothing from a run that lacks it. Scores are
    not read, so runs of unlike retrievers can be merged. Sums are exact, so the order of `runs` does not matter.

    Args:
        runs: runs, best first, of any lengths; no chunk twice in a run.
        k: rank offset, >= 0. The larger, the less the first ranks stand out; 60 is the paper's.
        weights: how much each run counts; None: 1 each.

    Returns:
        The union of the runs, best first; equal scores stand in the order of their chunk ids.

    Raises:
        ValueError: k is negative, or there are not as many weights as runs.

    Reference:
        Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
        SIGIR 2009, doi:10.1145/1571941.1572114.

    >>> from retrieval.core.hit import Hit
    >>> dense, sparse = (Hit(7, 0.9), Hit(3, 0.8)), (Hit(3, 11.0),)
    >>> [hit.chunk_id for hit in reciprocal_rank_fusion([dense, sparse])]
    [3, 7]
    """
    if k < 0:
        raise ValueError(f"k is {k}, but a rank offset is at least 0.")
    if weights is None:
        weights = [1.0] * len(runs)
    parts: dict[int, list[float]] = {}
    for run, weight in zip(runs, weights, strict=True):
        for rank, hit in enumerate(run, start=1):
            parts.setdefault(hit.chunk_id, []).append(weight / (k + rank))
    return best_first({chunk_id: math.fsum(gains) for chunk_id, gains in parts.items()})
