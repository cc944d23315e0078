"""Scores of rerankers, brought to one scale, and blended with what was known before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

Scale = Literal["probability", "logit", "cosine", "unknown"]
_NEAR: Final = 1e-6
_SPREAD: Final = 1e-3


def normalised(scores: Sequence[float], *, scale: Scale = "unknown") -> tuple[float, ...]:
    """Bring raw scores to 0..1.

    A probability is limited to 0..1, a cosine moved from -1..1, a logit put through the logistic function: each by itself, so
    that a score means the same in every batch. Only an unknown scale is judged by the batch: all within 0..1 stay, a batch
    without spread is limited, any other is stretched from its least to its largest.

    >>> normalised([8.0, -4.0, 2.0]), normalised([0.8, 0.2]), normalised([0.0], scale="logit")
    ((1.0, 0.0, 0.5), (0.8, 0.2), (0.5,))
    """
    if any(not math.isfinite(score) for score in scores):
        raise ValueError("A reranker gave a score that is no number; leave its order out.")
    if scale == "logit":
        return tuple(_logistic(score) for score in scores)
    if scale == "cosine":
        return tuple(_limited((score + 1) / 2) for score in scores)
    if scale == "probability" or not scores:
        return tuple(_limited(score) for score in scores)
    low, high = min(scores), max(scores)
    if (low >= -_NEAR and high <= 1 + _NEAR) or high - low < _SPREAD:
        return tuple(_limited(score) for score in scores)
    return tuple((score - low) / (high - low) for score in scores)


def kind_weights(vector_weight: float) -> tuple[float, float]:
    """Return how much words and meaning count, by the weight of meaning.

    Raises:
        ValueError: the weight is not within 0..1.

    >>> kind_weights(0.3)
    (0.7, 0.3)
    """
    if not 0 <= vector_weight <= 1:
        raise ValueError(f"The weight of meaning is {vector_weight}, but a weight is 0 to 1.")
    return round(1 - vector_weight, 12), vector_weight


def blended(*, term: float, vector: float, vector_weight: float, bonus: float = 0.0) -> float:
    """Mix the scores of words and of meaning and add a bonus; never outside 0..1.

    >>> blended(term=0.9, vector=0.9, vector_weight=0.3, bonus=0.4)
    1.0
    """
    of_terms, of_vector = kind_weights(vector_weight)
    return _limited(of_terms * term + of_vector * vector + bonus)


def _limited(score: float) -> float:
    return min(max(float(score), 0.0), 1.0)


def _logistic(score: float) -> float:
    if score >= 0:
        return 1 / (1 + math.exp(-score))
    grown = math.exp(max(score, -700.0))
    return grown / (1 + grown)
