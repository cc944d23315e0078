"""Is there enough evidence for an answer? A small decision over four figures of how well the sources fit the question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Evidence:
    """How well the sources fit a question, each figure in 0..1 (the first may pass 1).

    Attributes:
        sentence: likeness in meaning of the best sentence.
        source: calibrated retrieval score of the best source.
        covered: share of the question's content words in the first source.
        known: share of them in all sources together.
    """

    sentence: float
    source: float
    covered: float
    known: float


def strength(evidence: Evidence) -> float:
    """Return how strong the evidence is; above 0 it is enough."""
    return 1.0 * evidence.sentence + 0.6 * evidence.source + 0.7 * evidence.covered + 0.3 * evidence.known - 1.0


def is_enough(evidence: Evidence) -> bool:
    """Say whether to answer rather than to show the nearest passages."""
    return strength(evidence) > 0
