"""What every vector store promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from corpus.models import Chunk
from retrieval.core.selection import EVERYTHING, Selection
from retrieval.core.vector import Vector, unit
from retrieval.labels import labelled
from retrieval.models import Store
from retrieval.vector_store import DimensionMismatch, TooManyDimensions, VectorIndex, VectorRow, VectorStore
from retrieval.vector_stores.pgvector import PgVectorStore
from tests.conformance.implementations import classes_in
from tests.people import TwoTeams
from tests.retrieval.library import add_file

STORES: list[Any] = [
    *classes_in("retrieval.vector_stores", having="nearest"),
    pytest.param(lambda: PgVectorStore(index_from=1, exact_below=0), id="PgVectorStore walking its index"),
    pytest.param(lambda: PgVectorStore(index_from=1, exact_below=5), id="PgVectorStore comparing a few"),
]
DIMENSION = 16


@dataclass
class Filled:
    """A store with forty vectors of two files: chunk `n` of a file leans to axis n % 16."""

    store: VectorStore
    index: VectorIndex
    rows: list[VectorRow]

    def nearest(self, vector: Vector, top_k: int = 5, selection: Selection = EVERYTHING) -> list[int]:
        return [hit.chunk_id for hit in self.store.nearest(self.index, vector, top_k=top_k, selection=selection)]


def leaning(axis: int, strength: float) -> Vector:
    vector = np.full((1, DIMENSION), 0.1, dtype=np.float32)
    vector[0, axis] = strength
    first: Vector = unit(vector)[0]
    return first


@pytest.fixture(params=STORES)
def filled(request: pytest.FixtureRequest, two_teams: TwoTeams) -> Filled:
    row = Store.objects.create(
        collection=two_teams.papers, name="meaning", kind="vector", backend="any", model="m", dimension=DIMENSION
    )
    files = [
        add_file(two_teams.papers, f"{name}.md", [f"{name} {n}" for n in range(20)], metadata={"year": year})
        for name, year in (("old", 1990), ("new", 2024))
    ]
    rows = [
        VectorRow(chunk.pk, file.pk, chunk.label.hex, "hash", leaning(chunk.ordinal % DIMENSION, 1 + chunk.ordinal / 10))
        for file in files
        for chunk in labelled(Chunk.objects.filter(source_file=file)).order_by("ordinal")
    ]
    index = VectorIndex(row.pk, DIMENSION)
    store = request.param()
    store.put(index, rows)
    store.build(index)
    return Filled(store, index, rows)


def by_cosine(rows: Sequence[VectorRow], vector: Vector) -> list[int]:
    return [row.chunk_id for row in sorted(rows, key=lambda row: (-float(row.vector @ vector), row.chunk_id))]


def test_the_nearest_come_first_with_their_cosines(filled: Filled) -> None:
    vector = leaning(3, 2.0)
    run = filled.store.nearest(filled.index, vector, top_k=4, selection=EVERYTHING)
    exact = sorted((float(row.vector @ vector) for row in filled.rows), reverse=True)[:4]
    assert [hit.score for hit in run] == pytest.approx(exact, abs=2e-3)
    assert all(-1.0 <= hit.score <= 1.0 for hit in run)


def test_as_many_come_as_are_asked_for_when_there_are_as_many(filled: Filled) -> None:
    assert len(filled.nearest(leaning(3, 2.0), top_k=40)) == 40
    assert len(filled.nearest(leaning(3, 2.0), top_k=100)) == 40
    assert len(set(filled.nearest(leaning(3, 2.0), top_k=100))) == 40


def test_a_label_limits_and_all_of_it_comes(filled: Filled) -> None:
    label = filled.rows[0].label
    wanted = {row.chunk_id for row in filled.rows if row.label == label}
    assert set(filled.nearest(leaning(3, 2.0), 20, Selection(labels=frozenset({label})))) == wanted
    assert len(wanted) == 20


def test_a_file_limits_and_all_of_it_comes(filled: Filled) -> None:
    file = filled.rows[-1].source_file_id
    found = filled.nearest(leaning(3, 2.0), 7, Selection(source_files=frozenset({file})))
    assert len(found) == 7
    assert set(found) <= {row.chunk_id for row in filled.rows if row.source_file_id == file}


def test_limits_hold_together(filled: Filled) -> None:
    selection = Selection(frozenset({filled.rows[0].label}), frozenset({filled.rows[-1].source_file_id}))
    assert filled.nearest(leaning(3, 2.0), 20, selection) == []


def test_an_empty_selection_finds_nothing(filled: Filled) -> None:
    assert filled.nearest(leaning(3, 2.0), 5, Selection(labels=frozenset())) == []
    assert filled.nearest(leaning(3, 2.0), 5, Selection(source_files=frozenset())) == []


def test_what_was_removed_is_not_found(filled: Filled) -> None:
    first = filled.nearest(leaning(3, 2.0), 1)
    filled.store.remove(filled.index, first)
    assert not set(first) & set(filled.nearest(leaning(3, 2.0), 100))
    assert filled.store.count(filled.index) == 39


def test_writing_twice_replaces(filled: Filled) -> None:
    row = filled.rows[0]
    moved = VectorRow(row.chunk_id, row.source_file_id, row.label, "other", leaning(9, 50.0))
    filled.store.put(filled.index, [moved])
    assert filled.store.count(filled.index) == 40
    assert filled.nearest(leaning(9, 50.0), 1) == [row.chunk_id]
    assert filled.store.held(filled.index, row.source_file_id)[row.chunk_id] == "other"


def test_vectors_come_back(filled: Filled) -> None:
    row = filled.rows[5]
    held = filled.store.vectors(filled.index, [row.chunk_id, 10**9])
    assert list(held) == [row.chunk_id]
    assert held[row.chunk_id].dtype == np.float32
    assert np.allclose(held[row.chunk_id], row.vector, atol=1e-3)


def test_another_dimension_is_refused_with_what_to_do(filled: Filled) -> None:
    other = np.ones(DIMENSION + 1, dtype=np.float32)
    with pytest.raises(DimensionMismatch, match="Make a store for the new one"):
        filled.store.nearest(filled.index, other, top_k=1, selection=EVERYTHING)
    row = filled.rows[0]
    with pytest.raises(DimensionMismatch):
        filled.store.put(filled.index, [VectorRow(row.chunk_id, row.source_file_id, row.label, "h", other)])


def test_vectors_too_long_for_an_index_are_refused(filled: Filled) -> None:
    row = filled.rows[0]
    long = VectorIndex(filled.index.store_id, 4001)
    with pytest.raises(TooManyDimensions, match="at most 4000"):
        filled.store.put(long, [VectorRow(row.chunk_id, row.source_file_id, row.label, "h", np.ones(4001, dtype=np.float32))])


def test_a_dropped_index_is_empty(filled: Filled) -> None:
    filled.store.drop(filled.index)
    filled.store.drop(filled.index)
    assert filled.store.count(filled.index) == 0
    assert filled.nearest(leaning(3, 2.0)) == []


def test_indexes_do_not_mix(filled: Filled) -> None:
    assert filled.store.nearest(VectorIndex(10**6, DIMENSION), leaning(3, 2.0), top_k=5, selection=EVERYTHING) == ()


def test_a_store_that_follows_the_database_forgets_what_is_deleted_there(filled: Filled) -> None:
    first = filled.nearest(leaning(3, 2.0), 1)[0]
    Chunk.objects.filter(pk=first).update(enabled=False)
    found = filled.nearest(leaning(3, 2.0), 100)
    assert (first not in found) == filled.store.follows_chunks
