"""A test collection in real stores for the time of an evaluation: a domain of its own that nobody is a member of."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import psutil
from django.conf import settings
from django.db import transaction

from corpus.models import Chunk, Collection, Domain, SourceFile, State
from retrieval.change_feed import rebuild
from retrieval.core.indexed_text import embedded_text, text_hash
from retrieval.core.vector import Vectors
from retrieval.embedder import Embedder
from retrieval.evaluation.beir import BeirSet, Document
from retrieval.labels import labelled
from retrieval.models import Store
from retrieval.opening import keyword_store_of, vector_store_of
from retrieval.vector_store import VectorRow

_PREFIX: Final = "evaluation-"
_DOCUMENTS_A_FILE: Final = 200
_TEXTS_A_TIME: Final = 64


@dataclass(frozen=True)
class Shelf:
    """The stores that hold the collection, and which chunk is which document."""

    stores: tuple[Store, ...]
    document_of: dict[int, str]


@contextmanager
def on_shelf(beir: BeirSet, embedder: Embedder, stores: Sequence[Store]) -> Iterator[Shelf]:
    """Put a collection into stores, one chunk a document, and take it away again.

    Args:
        beir: the collection.
        embedder: for stores of kind vector.
        stores: unsaved rows: kind, back end, what they are made with.
    """
    take_away_left()
    slug = f"{_PREFIX}{os.getpid()}"
    domain = Domain.objects.create(name=f"Evaluation {os.getpid()}", slug=slug, description=beir.name, recency_weight=0.0)
    try:
        collection = Collection.objects.create(domain=domain, name=beir.name, slug="evaluation")
        document_of = _add(collection, beir.documents)
        for store in stores:
            store.collection = collection
            store.save()
            _fill(store, beir, embedder)
        yield Shelf(tuple(Store.objects.filter(collection=collection).select_related("collection__domain")), document_of)
    finally:
        _take_away(domain)


def take_away_left() -> None:
    """Remove what evaluations left that were killed."""
    for domain in Domain.objects.filter(slug__startswith=_PREFIX):
        process = int(domain.slug.removeprefix(_PREFIX))
        if process == os.getpid() or not psutil.pid_exists(process):
            _take_away(domain)


def _take_away(domain: Domain) -> None:
    for store in Store.objects.filter(collection__domain=domain):
        backend, index = (vector_store_of if store.kind == Store.Kind.VECTOR else keyword_store_of)(store)
        backend.drop(index)  # type: ignore[arg-type]
    domain.delete()


@transaction.atomic
def _add(collection: Collection, documents: Sequence[Document]) -> dict[int, str]:
    document_of: dict[int, str] = {}
    for start in range(0, len(documents), _DOCUMENTS_A_FILE):
        part = documents[start : start + _DOCUMENTS_A_FILE]
        file = SourceFile.objects.create(
            collection=collection, path=f"{start}.jsonl", content_hash=f"{start:064d}", size=0, state=State.READY
        )
        chunks = Chunk.objects.bulk_create(
            Chunk(
                source_file=file,
                ordinal=ordinal,
                text=document.text or document.title or "-",
                headings=[document.title] if document.title and document.text else [],
                text_hash=hashlib.sha256(document.text.encode()).hexdigest(),
            )
            for ordinal, document in enumerate(part)
        )
        document_of |= {chunk.pk: document.id for chunk, document in zip(chunks, part, strict=True)}
    return document_of


def _fill(store: Store, beir: BeirSet, embedder: Embedder) -> None:
    if store.kind == Store.Kind.BM25:
        rebuild(store)
        return
    backend, index = vector_store_of(store)
    chunks = list(labelled(Chunk.objects.filter(source_file__collection=store.collection_id)).order_by("pk"))
    texts = [embedded_text(chunk.text, chunk.headings) for chunk in chunks]
    vectors = embedded(beir.name, embedder, texts)
    rows = [
        VectorRow(chunk.pk, chunk.source_file_id, chunk.label.hex, text_hash(text), vector)
        for chunk, text, vector in zip(chunks, texts, vectors, strict=True)
    ]
    for start in range(0, len(rows), 1_000):
        backend.put(index, rows[start : start + 1_000])
    backend.build(index)


def embedded(name: str, embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Embed texts, or read what an earlier evaluation embedded of the same texts with the same model."""
    told = hashlib.sha256("\x00".join([embedder.model, *texts]).encode()).hexdigest()[:24]
    kept = Path(settings.VAR) / "evaluation" / f"{name}-{told}.npy"
    if kept.is_file():
        return np.asarray(np.load(kept, allow_pickle=False), dtype=np.float32)
    kept.parent.mkdir(parents=True, exist_ok=True)
    parts = [embedder.embed_documents(texts[start : start + _TEXTS_A_TIME]) for start in range(0, len(texts), _TEXTS_A_TIME)]
    vectors: Vectors = np.concatenate(parts)
    unfinished = kept.with_suffix(".part.npy")
    np.save(unfinished, vectors, allow_pickle=False)
    unfinished.replace(kept)
    return vectors
