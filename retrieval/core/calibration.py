"""One score that a threshold can trust: how likely it is that a passage has to do with the question, 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from retrieval.core.passage_words import passage_words

_STEEP: float = 6.0
_WORDS: float = 0.45


def calibrated(*, cosine: float | None, coverage: float, cosine_range: tuple[float, float]) -> float:
    """Return the score of a passage from its nearness and from the part of the question's words that it has.

    The nearness is placed between what the embedder gives for passages that have nothing to do with a question and for clear
    answers; so the score doesn't depend on the other passages found.

    Args:
        cosine: of the question and the passage; None if it isn't known.
        coverage: weight of the question's words that the passage has, of all, 0 to 1.
        cosine_range: of the embedder.

    >>> calibrated(cosine=0.9, coverage=1.0, cosine_range=(0.72, 0.92)) > 0.9
    True
    >>> calibrated(cosine=0.7, coverage=0.0, cosine_range=(0.72, 0.92)) < 0.05
    True
    """
    low, high = cosine_range
    nearness = coverage if cosine is None else (cosine - low) / (high - low)
    mixed = (1 - _WORDS) * min(max(nearness, 0.0), 1.2) + _WORDS * coverage
    score = 1 / (1 + math.exp(-_STEEP * (mixed - 0.5)))
    floor, top = 1 / (1 + math.exp(_STEEP / 2)), 1 / (1 + math.exp(-_STEEP / 2))
    return min(1.0, max(0.0, (score - floor) / (top - floor)))


def coverage(terms: Sequence[tuple[str, float]], text: str) -> float:
    """Return the part of a question's terms whose stem begins a word of the text; longer terms, which tell more, weigh more.

    >>> coverage((("gate", 1.0), ("variabl", 1.0)), "Gating variables")
    0.6363636363636364
    """
    if not terms:
        return 0.0
    told = " " + " ".join(passage_words(text))
    weights = [(term, float(len(term))) for term, _ in terms]
    return sum(weight for term, weight in weights if f" {term}" in told) / sum(weight for _, weight in weights)
