"""Measures of ranked lists by ir-measures, with how sure they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from retrieval.evaluation.beir import Qrels

RankedLists = Mapping[str, Mapping[str, float]]
"""Query to document to score."""

MEASURES: Final = ("nDCG@10", "R@100", "RR@10", "AP")
_DRAWS: Final = 2_000
_SURE: Final = 0.95


@dataclass(frozen=True)
class Measured:
    """A measure over queries: mean, the interval that holds the true mean with 95 %, and each query's value."""

    mean: float
    low: float
    high: float
    per_query: dict[str, float]


def measure(qrels: Qrels, lists: RankedLists, names: Sequence[str] = MEASURES) -> dict[str, Measured]:
    """Measure lists against judgements; a query without a list counts 0."""
    import ir_measures

    known = {str(found): found for found in map(ir_measures.parse_measure, names)}
    values: dict[str, dict[str, float]] = {name: dict.fromkeys(qrels, 0.0) for name in names}
    for value in ir_measures.iter_calc(list(known.values()), qrels, {key: dict(found) for key, found in lists.items() if found}):
        values[str(value.measure)][value.query_id] = float(value.value)
    return {name: _summed(values[name]) for name in names}


def difference(one: Measured, other: Measured) -> tuple[float, float]:
    """Compare two configurations over the same queries.

    Returns:
        The mean gain of `other` over `one`, and how likely a gain or loss this large is by chance (paired randomisation test).
    """
    gains = np.array([other.per_query[key] - one.per_query[key] for key in sorted(one.per_query) if key in other.per_query])
    if not len(gains) or not gains.any():
        return 0.0, 1.0
    signs = np.random.default_rng(0).choice((-1.0, 1.0), size=(_DRAWS, len(gains)))
    by_chance = np.abs((signs * gains).mean(axis=1)) >= abs(gains.mean()) - 1e-12
    return float(gains.mean()), float((by_chance.sum() + 1) / (_DRAWS + 1))


def _summed(per_query: dict[str, float]) -> Measured:
    values = np.array([per_query[key] for key in sorted(per_query)])
    if not len(values):
        return Measured(0.0, 0.0, 0.0, per_query)
    drawn = np.random.default_rng(0).choice(values, size=(_DRAWS, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [(1 - _SURE) / 2, (1 + _SURE) / 2])
    return Measured(float(values.mean()), float(low), float(high), per_query)
