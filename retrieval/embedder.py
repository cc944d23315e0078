"""The contract of an embedder: text in, vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from retrieval.core.vector import Vector, Vectors


class Embedder(Protocol):
    """Turns text into vectors of one dimension D; made once a process and used by several threads.

    Vectors are float32 of length 1, so that their inner product is the cosine. The same text gives the same vector, whatever
    else is in the call. A text longer than `max_tokens` is embedded by its beginning.

    Attributes:
        model: names the model and everything that changes its vectors; stores remember it and refuse another.
        dimension: D.
        max_tokens: the longest text that is read in full.
        tokenizer_path: folder of the tokenizer's files, empty if there is none.
        cosine_range: cosine of a question to passages that have nothing to do with it, and to a clear answer.
    """

    @property
    def model(self) -> str: ...  # noqa: D102

    @property
    def dimension(self) -> int: ...  # noqa: D102

    @property
    def max_tokens(self) -> int: ...  # noqa: D102

    @property
    def tokenizer_path(self) -> str: ...  # noqa: D102

    @property
    def cosine_range(self) -> tuple[float, float]: ...  # noqa: D102

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed passages.

        Returns:
            Shape (N, D), in the order of `texts`; (0, D) for none.

        Raises:
            EmbedderUnavailable: a service did not answer. Retryable.
            WeightsMissing: the model's files are not there.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Embed a question; shape (D,). Raises as `embed_documents`."""
        ...

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, without the model's own marks at start and end."""
        ...


class EmbedderUnavailable(Exception):  # noqa: N818 -- read as a sentence
    """The service that embeds did not answer."""

    retryable = True

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice
