"""The contract of a reranker: a question and passages read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.core.rerank_scale import Scale, normalised

__all__ = ["ReadScores", "Reranker", "RerankerTimedOut", "RerankerUnavailable", "Scale", "scores_of"]


class Reranker(Protocol):
    """Scores passages by reading each together with the question. Made once a process and used by several threads.

    Attributes:
        name: of the model.
        scale: what its scores are; `core.rerank_scale` brings them to [0, 1].
        reads: whether it reads at all; one that doesn't is left out.
    """

    name: str
    scale: Scale
    reads: bool

    def scores(self, question: str, passages: Sequence[str], *, time_limit_s: float) -> list[float]:
        """Score each passage, larger is better, in the order given.

        Raises:
            RerankerTimedOut: the limit was reached before all were read. Retryable.
            RerankerUnavailable: it can't read now.
        """
        ...


@dataclass(frozen=True)
class ReadScores:
    """What a reranker gave, and the same from 0 to 1."""

    raw: tuple[float, ...]
    normalised: tuple[float, ...]


def scores_of(reranker: Reranker, question: str, passages: Sequence[str], *, time_limit_s: float) -> ReadScores:
    """Ask a reranker, whatever its scale. Without a question or passages nobody is asked, and all score 0.

    Raises:
        RerankerUnavailable: it can't read now, or gave something else than a number a passage.
    """
    if not question.strip() or not passages:
        return ReadScores((0.0,) * len(passages), (0.0,) * len(passages))
    raw = tuple(reranker.scores(question, passages, time_limit_s=time_limit_s))
    try:
        scaled = normalised(raw, scale=reranker.scale)
    except ValueError as error:
        raise RerankerUnavailable(str(error), "Look at the reranker's weights.") from error
    if len(raw) != len(passages):
        raise RerankerUnavailable(f"The reranker gave {len(raw)} scores for {len(passages)} passages.", "Look at its adapter.")
    return ReadScores(raw, scaled)


class RerankerUnavailable(Exception):  # noqa: N818 -- read as a sentence
    """The reranker can't read now."""

    retryable = True

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice


class RerankerTimedOut(RerankerUnavailable):
    """The time limit was reached."""
