"""Give every chunk of a file a vector in every vector store of its collection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import connection
from django.db.models import F

from corpus.models import Chunk, SourceFile, State
from corpus.stage import Partial, StageContext, StageError
from retrieval.core.indexed_text import embedded_text, text_hash
from retrieval.embedder import Embedder, EmbedderUnavailable
from retrieval.labels import labelled
from retrieval.models import Store
from retrieval.opening import StoreMismatch, embedder_of, ensure_stores, vector_store_of
from retrieval.vector_store import (
    DimensionMismatch,
    TooManyDimensions,
    VectorIndex,
    VectorRow,
    VectorStore,
    VectorStoreUnavailable,
)
from retrieval.weights import WeightsMissing

_CHUNKS_A_TIME: Final = 16


class Embed:
    """Embeds what has no vector of its present text, and removes vectors of chunks that are gone.

    Reads: chunks. Writes: vectors. What was embedded stays when a later chunk fails.
    """

    name = "embed"
    version = 1
    shows = State.INDEXING

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
            embedder, (backend, index) = embedder_of(store), vector_store_of(store)
            waiting = _waiting(backend, index, source_file)
            made = self._embed(embedder, backend, index, waiting, context)
            if made:
                Store.objects.filter(pk=store.pk).update(version=F("version") + 1)
            backend.build(index)
        except (StoreMismatch, DimensionMismatch, TooManyDimensions, WeightsMissing) as error:
            raise StageError(str(error), advice=error.advice) from error
        except VectorStoreUnavailable as error:
            raise StageError(error.cause, advice=error.advice, retryable=True) from error
        return made

    def _embed(
        self,
        embedder: Embedder,
        backend: VectorStore,
        index: VectorIndex,
        waiting: Sequence[Any],
        context: StageContext,
    ) -> int:
        for start in range(0, len(waiting), _CHUNKS_A_TIME):
            part = waiting[start : start + _CHUNKS_A_TIME]
            texts = [embedded_text(chunk.text, chunk.headings) for chunk in part]
            try:
                vectors = embedder.embed_documents(texts)
            except EmbedderUnavailable as error:
                if start == 0:
                    raise StageError(error.cause, advice=error.advice, retryable=True) from error
                missing = {"chunks": [chunk.pk for chunk in waiting[start:]]}
                raise Partial(error.cause, error.advice, missing) from error
            backend.put(
                index,
                [
                    VectorRow(chunk.pk, chunk.source_file_id, chunk.label.hex, text_hash(text), vector)
                    for chunk, text, vector in zip(part, texts, vectors, strict=True)
                ],
            )
            context.heartbeat()
        return len(waiting)

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


def _waiting(backend: VectorStore, index: VectorIndex, source_file: SourceFile) -> list[Any]:
    """Return the chunks without a vector of their present text, after removing vectors of chunks that are gone."""
    chunks = list(labelled(Chunk.objects.filter(source_file=source_file)).order_by("ordinal"))
    held = backend.held(index, source_file.pk)
    if gone := set(held) - {chunk.pk for chunk in chunks}:
        backend.remove(index, gone)
    return [chunk for chunk in chunks if held.get(chunk.pk) != text_hash(embedded_text(chunk.text, chunk.headings))]


def _fingerprint(source_file: SourceFile) -> str:
    """Return a digest of the file's chunks, so that an edited one is embedded again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(md5(string_agg(concat(id, ':', text_hash, ':', headings), ',' ORDER BY id)), '') "
            "FROM corpus_chunk WHERE source_file_id = %s",
            [source_file.pk],
        )
        return str(cursor.fetchone()[0])
