"""Fill a vector store with the chunks of a file: only what has no vector of its present text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.db.models import F

from corpus.models import Chunk, SourceFile
from retrieval.core.indexed_text import embedded_text, text_hash
from retrieval.embedder import EmbedderUnavailable
from retrieval.labels import labelled
from retrieval.models import Store
from retrieval.opening import embedder_of, vector_store_of
from retrieval.vector_store import VectorIndex, VectorRow, VectorStore

_CHUNKS_A_TIME: Final = 16


class FilledInPart(Exception):  # noqa: N818 -- an outcome, not an error
    """The embedder failed after some chunks; what it made is stored."""

    def __init__(self, cause: EmbedderUnavailable, missing: list[int]) -> None:
        super().__init__(str(cause))
        self.cause = cause.cause
        self.advice = cause.advice
        self.missing = missing


def fill(store: Store, source_file: SourceFile, *, heartbeat: Callable[[], None] = lambda: None) -> int:
    """Embed what is missing of a file, and remove vectors of chunks that are gone.

    Returns:
        How many chunks were embedded.

    Raises:
        FilledInPart: the embedder failed after some chunks.
        EmbedderUnavailable: it failed at once.
        StoreMismatch, DimensionMismatch, WeightsMissing, VectorStoreUnavailable: as the store and the embedder say.
    """
    embedder, (backend, index) = embedder_of(store), vector_store_of(store)
    waiting = _waiting(backend, index, source_file)
    for start in range(0, len(waiting), _CHUNKS_A_TIME):
        part = waiting[start : start + _CHUNKS_A_TIME]
        texts = [embedded_text(chunk.text, chunk.headings) for chunk in part]
        try:
            vectors = embedder.embed_documents(texts)
        except EmbedderUnavailable as error:
            if start == 0:
                raise
            raise FilledInPart(error, [chunk.pk for chunk in waiting[start:]]) from error
        backend.put(
            index,
            [
                VectorRow(chunk.pk, chunk.source_file_id, chunk.label.hex, text_hash(text), vector)
                for chunk, text, vector in zip(part, texts, vectors, strict=True)
            ],
        )
        heartbeat()
    if waiting:
        Store.objects.filter(pk=store.pk).update(version=F("version") + 1)
    return len(waiting)


def _waiting(backend: VectorStore, index: VectorIndex, source_file: SourceFile) -> Sequence[Any]:
    chunks = list(labelled(Chunk.objects.filter(source_file=source_file)).order_by("ordinal"))
    held = backend.held(index, source_file.pk)
    if gone := set(held) - {chunk.pk for chunk in chunks}:
        backend.remove(index, gone)
    return [chunk for chunk in chunks if held.get(chunk.pk) != text_hash(embedded_text(chunk.text, chunk.headings))]
