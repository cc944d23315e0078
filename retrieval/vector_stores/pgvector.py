"""The default vector store: pgvector in the site's own database.

Vectors of all stores stand in one table in half precision; each store of some size has its own HNSW index over a typed cast. A
question is answered in one of two ways, whichever is exact or fast: when few chunks are admitted, every one of them is
compared; else the index is walked, further and further, until there are enough.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.db import DatabaseError, OperationalError, connection, transaction
from pgvector import HalfVector

from retrieval.core.hit import Run, best_first
from retrieval.core.selection import Selection
from retrieval.core.vector import Vector
from retrieval.labels import CHUNK_LABEL
from retrieval.models import Embedding
from retrieval.vector_store import VectorIndex, VectorRow, VectorStoreUnavailable, check_dimension

_WALK_AT_MOST: Final = 40_000
_LEAST_BREADTH: Final = 100
_MOST_BREADTH: Final = 1_000
_BUILD_MEMORY_MB: Final = 1_024

_SOURCE: Final = (
    "FROM retrieval_embedding embedding JOIN corpus_chunk chunk ON chunk.id = embedding.chunk_id "
    "WHERE embedding.store_id = {store} AND chunk.enabled{limits}"
)
_COUNT: Final = "SELECT count(*) FROM (SELECT 1 " + _SOURCE + " LIMIT {most}) AS admitted"  # noqa: S608 -- made of constants
_EXACT: Final = (
    "WITH compared AS MATERIALIZED "  # noqa: S608 -- made of constants
    "(SELECT embedding.chunk_id, embedding.vector::halfvec({dimension}) <#> %s::halfvec AS distance "
    + _SOURCE
    + ") SELECT chunk_id, distance FROM compared ORDER BY distance, chunk_id LIMIT {top_k}"
)
_WALK: Final = (
    "SELECT embedding.chunk_id, embedding.vector::halfvec({dimension}) <#> %s::halfvec AS distance "
    + _SOURCE
    + " ORDER BY embedding.vector::halfvec({dimension}) <#> %s::halfvec LIMIT {top_k}"
)

_VECTORS: Final = "SELECT chunk_id, halfvec_send(vector) FROM retrieval_embedding WHERE store_id = %s AND chunk_id = ANY(%s)"


class PgVectorStore:
    """Vectors beside the chunks, in one database.

    Args:
        exact_below: at most this many admitted chunks are compared one by one.
        index_from: from this many vectors on a store has an HNSW index.
        links: HNSW's m.
        effort: HNSW's ef_construction.
    """

    follows_chunks = True

    def __init__(self, *, exact_below: int = 10_000, index_from: int = 2_000, links: int = 16, effort: int = 64) -> None:
        self._exact_below = exact_below
        self._index_from = index_from
        self._links = links
        self._effort = effort

    def put(self, index: VectorIndex, rows: Sequence[VectorRow]) -> None:
        """Insert, or replace what a chunk has."""
        for row in rows:
            check_dimension(index, row.vector)
        Embedding.objects.bulk_create(
            [
                Embedding(store_id=index.store_id, chunk_id=row.chunk_id, text_hash=row.text_hash, vector=HalfVector(row.vector))
                for row in rows
            ],
            update_conflicts=True,
            unique_fields=["store", "chunk"],
            update_fields=["text_hash", "vector"],
            batch_size=500,
        )

    def remove(self, index: VectorIndex, chunk_ids: Collection[int]) -> None:
        """Delete rows."""
        Embedding.objects.filter(store_id=index.store_id, chunk_id__in=list(chunk_ids)).delete()

    def held(self, index: VectorIndex, source_file_id: int) -> Mapping[int, str]:
        """Return chunk and text hash of a file's vectors."""
        rows = Embedding.objects.filter(store_id=index.store_id, chunk__source_file_id=source_file_id)
        return dict(rows.values_list("chunk_id", "text_hash"))

    def nearest(self, index: VectorIndex, vector: Vector, *, top_k: int, selection: Selection) -> Run:
        """Compare all that is admitted if it is little, else walk the index; what the walk doesn't find, comparing does."""
        check_dimension(index, vector)
        if selection.is_empty:
            return ()
        limits, values = _limits(selection)
        try:
            if not self._has_index(index) or (not selection.is_open and self._few(index, limits, values)):
                return self._ask(_EXACT, index, limits, [_told(vector), *values], top_k)
            found = self._walk(index, limits, values, vector, top_k)
            if len(found) < top_k:
                return self._ask(_EXACT, index, limits, [_told(vector), *values], top_k)
        except OperationalError as error:
            raise VectorStoreUnavailable(
                "The database did not answer.", "Try again; if it stays so: manage.py doctor."
            ) from error
        return found

    def vectors(self, index: VectorIndex, chunk_ids: Collection[int]) -> Mapping[int, Vector]:
        """Read the given chunks' vectors in their binary form, which is much shorter than their text."""
        with connection.cursor() as cursor:
            cursor.execute(_VECTORS, [index.store_id, list(chunk_ids)])
            return {
                chunk_id: np.frombuffer(told, dtype=">f2", offset=4).astype(np.float32) for chunk_id, told in cursor.fetchall()
            }

    def count(self, index: VectorIndex) -> int:
        """Count the vectors."""
        return Embedding.objects.filter(store_id=index.store_id).count()

    def build(self, index: VectorIndex) -> bool:
        """Make the store's HNSW index if it is large enough and has none; others may write meanwhile."""
        if self._has_index(index) or self.count(index) < self._index_from:
            return False
        together = "" if connection.in_atomic_block else " CONCURRENTLY"
        name = _index_name(index)
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('maintenance_work_mem', %s, %s)", [f"{_BUILD_MEMORY_MB}MB", not together])
            if not together:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            try:
                cursor.execute(f"DROP INDEX IF EXISTS {name}")
                cursor.execute(
                    f"CREATE INDEX{together} {name} ON retrieval_embedding "
                    f"USING hnsw ((vector::halfvec({index.dimension:d})) halfvec_ip_ops) "
                    f"WITH (m = {self._links:d}, ef_construction = {self._effort:d}) WHERE store_id = {index.store_id:d}"
                )
            except DatabaseError as error:
                raise VectorStoreUnavailable(
                    f"The index of store {index.store_id} could not be built ({error}).", "Run: manage.py rebuild_store."
                ) from error
            finally:
                if together:
                    cursor.execute("RESET maintenance_work_mem")
        return True

    def drop(self, index: VectorIndex) -> None:
        """Drop the index and delete the rows."""
        with connection.cursor() as cursor:
            cursor.execute(f"DROP INDEX IF EXISTS {_index_name(index)}")
        Embedding.objects.filter(store_id=index.store_id).delete()

    def _has_index(self, index: VectorIndex) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid", [_index_name(index)])
            return cursor.fetchone() is not None

    def _few(self, index: VectorIndex, limits: str, values: list[Any]) -> bool:
        query = _COUNT.format(store=f"{index.store_id:d}", limits=limits, most=f"{self._exact_below + 1:d}")
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            return bool(cursor.fetchone()[0] <= self._exact_below)

    def _walk(self, index: VectorIndex, limits: str, values: list[Any], vector: Vector, top_k: int) -> Run:
        breadth = max(_LEAST_BREADTH, min(_MOST_BREADTH, 2 * top_k))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'relaxed_order', true), "
                "set_config('hnsw.max_scan_tuples', %s, true), set_config('enable_seqscan', 'off', true), "
                "set_config('enable_sort', 'off', true)",
                [str(breadth), str(_WALK_AT_MOST)],
            )
            return self._ask(_WALK, index, limits, [_told(vector), *values, _told(vector)], top_k)

    def _ask(self, form: str, index: VectorIndex, limits: str, values: list[Any], top_k: int) -> Run:
        query = form.format(store=f"{index.store_id:d}", dimension=f"{index.dimension:d}", limits=limits, top_k=f"{top_k:d}")
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            return best_first({chunk_id: max(-1.0, min(1.0, -distance)) for chunk_id, distance in cursor.fetchall()})


def _index_name(index: VectorIndex) -> str:
    return f"retrieval_embedding_near_{index.store_id:d}"


def _told(vector: Vector) -> str:
    return "[" + ",".join(map(str, vector.tolist())) + "]"


def _limits(selection: Selection) -> tuple[str, list[Any]]:
    limits = ""
    values: list[Any] = []
    if selection.labels is not None:
        limits += f" AND {CHUNK_LABEL} = ANY(%s::uuid[])"
        values.append(sorted(selection.labels))
    if selection.source_files is not None:
        limits += " AND chunk.source_file_id = ANY(%s)"
        values.append(sorted(selection.source_files))
    return limits, values
