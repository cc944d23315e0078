"""The contract of a reranker: a question and passages read together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

Scale = Literal["probability", "logit", "cosine", "unknown"]


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


class RerankerUnavailable(Exception):  # noqa: N818 -- read as a sentence
    """The reranker can't read now."""

    retryable = True

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice


class RerankerTimedOut(RerankerUnavailable):
    """The time limit was reached."""
