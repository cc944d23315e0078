"""Give every chunk of a file a vector in every vector store of its collection."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import prefetch_related_objects

from corpus.models import Collection, SourceFile, State
from corpus.stage import Partial, StageContext, StageError
from retrieval.embedder import EmbedderUnavailable
from retrieval.filling import FilledInPart, fill
from retrieval.models import Store
from retrieval.opening import StoreMismatch, ensure_stores, vector_store_of
from retrieval.vector_store import DimensionMismatch, TooManyDimensions, VectorStoreUnavailable
from retrieval.weights import WeightsMissing


class Embed:
    """Embeds what has no vector of its present text, and removes vectors of chunks that are gone.

    Reads: chunks. Writes: vectors. What was embedded stays when a later chunk fails.
    """

    name = "embed"
    version = 1
    shows = State.INDEXING

    def prepare(self, collection: Collection) -> None:
        """Read the stores once for many files."""
        prefetch_related_objects([collection], "stores")

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Name the vector stores and their models, and what the chunks hold."""
        stores = [store for store in _stores(source_file) if store.kind == Store.Kind.VECTOR]
        return {"stores": [[store.pk, store.model, store.backend] for store in stores], "chunks": _fingerprint(source_file)}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Fill each vector store.

        Raises:
            Partial: the provider failed after some chunks.
            StageError: it failed at once, or a store doesn't fit.
        """
        made = 0
        stores = [store for store in _stores(source_file) if store.kind == Store.Kind.VECTOR]
        for store in stores:
            made += self._fill(store, source_file, context)
        return {"stores": len(stores), "embedded": made, "chunks": source_file.chunks.count()}

    def _fill(self, store: Store, source_file: SourceFile, context: StageContext) -> int:
        try:
            made = fill(store, source_file, heartbeat=context.heartbeat)
            backend, index = vector_store_of(store)
            backend.build(index)
        except FilledInPart as part:
            raise Partial(part.cause, part.advice, {"chunks": part.missing}) from part
        except (StoreMismatch, DimensionMismatch, TooManyDimensions, WeightsMissing) as error:
            raise StageError(str(error), advice=error.advice) from error
        except (VectorStoreUnavailable, EmbedderUnavailable) as error:
            raise StageError(error.cause, advice=error.advice, retryable=True) from error
        return made

    def forget(self, source_file: SourceFile) -> None:
        """Remove the file's vectors from stores that don't follow the database by themselves."""
        for store in source_file.collection.stores.filter(kind=Store.Kind.VECTOR):
            backend, index = vector_store_of(store)
            if not backend.follows_chunks:
                backend.remove(index, list(backend.held(index, source_file.pk)))


def _stores(source_file: SourceFile) -> list[Store]:
    try:
        return ensure_stores(source_file.collection)
    except TooManyDimensions as error:
        raise StageError(str(error), advice=error.advice) from error


def _fingerprint(source_file: SourceFile) -> str:
    """Return a digest of the file's chunks, so that an edited one is embedded again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(md5(string_agg(concat(id, ':', text_hash, ':', headings), ',' ORDER BY id)), '') "
            "FROM corpus_chunk WHERE source_file_id = %s",
            [source_file.pk],
        )
        return str(cursor.fetchone()[0])
