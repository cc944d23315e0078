"""The contract of a vector store: one vector a chunk, and the near ones found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from retrieval.core.hit import Run
from retrieval.core.selection import Selection
from retrieval.core.vector import Vector

MOST_DIMENSIONS: Final = 4000


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """One index of a back end: the key of the store's row and the dimension of its vectors."""

    store_id: int
    dimension: int


@dataclass(frozen=True, slots=True)
class VectorRow:
    """A chunk's vector, and what the store limits by: its file and the key of its metadata."""

    chunk_id: int
    source_file_id: int
    label: str
    text_hash: str
    vector: Vector


class VectorStore(Protocol):
    """Holds vectors of length 1 and finds the near ones. Safe to call from several threads and processes.

    Attributes:
        follows_chunks: a chunk that is deleted, switched off or relabelled counts so at once, without a call.
    """

    follows_chunks: bool

    def put(self, index: VectorIndex, rows: Sequence[VectorRow]) -> None:
        """Write vectors; a chunk that has one gets the new one.

        Raises:
            DimensionMismatch: a vector is of another dimension.
        """
        ...

    def remove(self, index: VectorIndex, chunk_ids: Collection[int]) -> None:
        """Remove the chunks' vectors; absent is fine."""
        ...

    def held(self, index: VectorIndex, source_file_id: int) -> Mapping[int, str]:
        """Return the chunks of a file that have a vector, with the hash of the text that it was made from."""
        ...

    def nearest(self, index: VectorIndex, vector: Vector, *, top_k: int, selection: Selection) -> Run:
        """Find the chunks whose vectors are nearest.

        Args:
            index: of the store.
            vector: shape (D,), of length 1.
            top_k: at most this many hits, >= 1.
            selection: only chunks that it admits; `top_k` hits come if that many are admitted, however few among all.

        Returns:
            Best first; the score is the cosine, in [-1, 1]. An approximate store may miss neighbours, never invent them.

        Raises:
            DimensionMismatch: the vector is of another dimension.
            VectorStoreUnavailable: the store did not answer. Retryable.
        """
        ...

    def vectors(self, index: VectorIndex, chunk_ids: Collection[int]) -> Mapping[int, Vector]:
        """Return the vectors of the chunks that the store holds, as exactly as it holds them."""
        ...

    def count(self, index: VectorIndex) -> int:
        """Count the vectors."""
        ...

    def build(self, index: VectorIndex) -> bool:
        """Make searching fast, if the size calls for it; call it after bulk loads. Return whether something was built."""
        ...

    def drop(self, index: VectorIndex) -> None:
        """Remove all vectors of the index and what was built over them; absent is fine."""
        ...


class DimensionMismatch(ValueError):  # noqa: N818 -- read as a sentence
    """A vector doesn't fit the store."""

    retryable = False

    def __init__(self, index: VectorIndex, given: int) -> None:
        self.advice = "The store was made with another embedding model. Make a store for the new one, or choose the old model."
        super().__init__(f"Store {index.store_id} holds vectors of {index.dimension} dimensions, not {given}. {self.advice}")


class TooManyDimensions(ValueError):  # noqa: N818 -- read as a sentence
    """No index can be built over vectors this long."""

    retryable = False

    def __init__(self, given: int) -> None:
        self.advice = f"Choose an embedding model with at most {MOST_DIMENSIONS} dimensions."
        super().__init__(f"The model's vectors have {given} dimensions, which can't be indexed. {self.advice}")


class VectorStoreUnavailable(Exception):  # noqa: N818 -- read as a sentence
    """The store did not answer."""

    retryable = True

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice


def check_dimension(index: VectorIndex, vector: Vector) -> None:
    """Pass if the vector fits the index.

    Raises:
        DimensionMismatch: it doesn't.
        TooManyDimensions: the index can't be.
    """
    if index.dimension > MOST_DIMENSIONS:
        raise TooManyDimensions(index.dimension)
    if vector.shape != (index.dimension,):
        raise DimensionMismatch(index, int(vector.shape[-1]))
