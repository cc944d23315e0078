"""What is known of the candidates: the stores' answers, their vectors, and how near each is to each query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.core.hit import Run, best_first
from retrieval.core.vector import Vector
from retrieval.models import Store
from retrieval.opening import embedder_of, vector_store_of
from retrieval.search.asking import Asked, Question


@dataclass
class Evidence:
    """The answers to all queries, and the collection of each candidate that may be shown."""

    answers: Sequence[Asked]
    questions: Sequence[Question]
    places: Mapping[int, int]
    _vectors: dict[int, Mapping[int, Vector]] = field(default_factory=dict)

    @cached_property
    def by_collection(self) -> dict[int, list[int]]:
        """The candidates of each collection."""
        found: dict[int, list[int]] = {}
        for chunk_id, collection_id in self.places.items():
            found.setdefault(collection_id, []).append(chunk_id)
        return found

    def answers_to(self, query: int, kind: str) -> list[Asked]:
        """Return the answers of one kind of store to one query."""
        return [answer for answer in self.answers if answer.query == query and answer.store.kind == kind]

    def vectors_of(self, store: Store) -> Mapping[int, Vector]:
        """Return the candidates' vectors in a store; read once."""
        if store.pk not in self._vectors:
            backend, index = vector_store_of(store)
            self._vectors[store.pk] = backend.vectors(index, self.by_collection.get(store.collection_id, []))
        return self._vectors[store.pk]

    def cosines(self, answer: Asked) -> dict[int, float]:
        """Return the cosine of an answer's query and each candidate that has a vector in its store."""
        if answer.vector is None:
            return {}
        held = self.vectors_of(answer.store)
        return {chunk_id: max(-1.0, min(1.0, float(vector @ answer.vector))) for chunk_id, vector in held.items()}

    def found(self, answer: Asked) -> Run:
        """Return an answer without what may not be shown."""
        return tuple(hit for hit in answer.run if hit.chunk_id in self.places)

    def nearness(self, query: int) -> dict[int, tuple[float, tuple[float, float]]]:
        """Return each candidate's cosine to a query with the range of the embedder it comes from."""
        found: dict[int, tuple[float, tuple[float, float]]] = {}
        for answer in self.answers_to(query, Store.Kind.VECTOR):
            cosine_range = embedder_of(answer.store).cosine_range
            for chunk_id, cosine in self.cosines(answer).items():
                found.setdefault(chunk_id, (cosine, cosine_range))
        return found


def pooled(runs: Sequence[Run]) -> Run:
    """Join runs on one scale into one; a chunk that stands in several keeps its best score."""
    best: dict[int, float] = {}
    for run in runs:
        for hit in run:
            best[hit.chunk_id] = max(hit.score, best.get(hit.chunk_id, hit.score))
    return best_first(best)
