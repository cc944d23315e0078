"""The null vector store: exact search in the memory of this process."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from retrieval.core.hit import Run, best_first
from retrieval.core.selection import Selection
from retrieval.core.vector import Vector
from retrieval.vector_store import VectorIndex, VectorRow, check_dimension


class MemoryVectorStore:
    """Compares the question with every vector. What it holds ends with the process."""

    follows_chunks = False

    def __init__(self) -> None:
        self._rows: dict[VectorIndex, dict[int, VectorRow]] = defaultdict(dict)
        self._writing = threading.Lock()

    def put(self, index: VectorIndex, rows: Sequence[VectorRow]) -> None:
        """Write vectors."""
        for row in rows:
            check_dimension(index, row.vector)
        with self._writing:
            self._rows[index] = {**self._rows[index], **{row.chunk_id: row for row in rows}}

    def remove(self, index: VectorIndex, chunk_ids: Collection[int]) -> None:
        """Remove the chunks' vectors."""
        gone = set(chunk_ids)
        with self._writing:
            self._rows[index] = {chunk_id: row for chunk_id, row in self._rows[index].items() if chunk_id not in gone}

    def held(self, index: VectorIndex, source_file_id: int) -> Mapping[int, str]:
        """Return chunk and text hash of a file's vectors."""
        return {row.chunk_id: row.text_hash for row in self._rows[index].values() if row.source_file_id == source_file_id}

    def nearest(self, index: VectorIndex, vector: Vector, *, top_k: int, selection: Selection) -> Run:
        """Compare with all that the selection admits."""
        check_dimension(index, vector)
        admitted = {
            row.chunk_id: _cosine(row.vector, vector)
            for row in self._rows[index].values()
            if selection.admits(label=row.label, source_file_id=row.source_file_id)
        }
        return best_first(admitted)[:top_k]

    def vectors(self, index: VectorIndex, chunk_ids: Collection[int]) -> Mapping[int, Vector]:
        """Return the given chunks' vectors."""
        rows = self._rows[index]
        return {chunk_id: rows[chunk_id].vector for chunk_id in chunk_ids if chunk_id in rows}

    def count(self, index: VectorIndex) -> int:
        """Count the vectors."""
        return len(self._rows[index])

    def build(self, index: VectorIndex) -> bool:
        """There is nothing to build."""
        return False

    def drop(self, index: VectorIndex) -> None:
        """Remove the index."""
        with self._writing:
            self._rows.pop(index, None)


def _cosine(one: Vector, other: Vector) -> float:
    return max(-1.0, min(1.0, float(one @ other)))
