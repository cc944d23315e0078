"""Retrievers measured on a test collection, through the stores and the search that serve."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User

from retrieval.core.hit import Hit, Run
from retrieval.core.keyword_query import keyword_query
from retrieval.core.selection import EVERYTHING
from retrieval.embedder import Embedder
from retrieval.evaluation.beir import BeirSet
from retrieval.evaluation.measures import MEASURES, Measured, RankedLists, measure
from retrieval.evaluation.shelf import Shelf, on_shelf
from retrieval.models import Store
from retrieval.opening import fit, keyword_store_of, vector_store_of
from retrieval.search import SearchRequest, search

RETRIEVERS: Final = ("bm25", "dense", "hybrid", "rerank")
_DEPTH: Final = 100


@dataclass(frozen=True)
class Benchmarked:
    """One retriever on one collection."""

    retriever: str
    measures: dict[str, Measured]
    lists: RankedLists
    ms_per_query: float


def benchmark(
    beir: BeirSet,
    embedder: Embedder,
    *,
    retrievers: Sequence[str] = RETRIEVERS,
    backends: tuple[str, str] = ("pgvector", "tantivy"),
    told: Callable[[str], None] = lambda _: None,
) -> list[Benchmarked]:
    """Measure retrievers on a collection.

    Args:
        beir: the collection.
        embedder: of the vector store.
        retrievers: of `RETRIEVERS`: keyword store alone, vector store alone, the search, the search with the reranker.
        backends: of the vector and the keyword store.
        told: called with what is being done.

    Raises:
        ValueError: a retriever is unknown.
    """
    if unknown := set(retrievers) - set(RETRIEVERS):
        raise ValueError(f"Unknown retriever: {', '.join(sorted(unknown))}. Known: {', '.join(RETRIEVERS)}.")
    vector, words = backends
    rows = []
    if set(retrievers) != {"bm25"}:
        rows.append(_vector_row(vector, embedder))
    if set(retrievers) != {"dense"}:
        rows.append(fit(Store(name="words", kind=Store.Kind.BM25, backend=words)))
    told(f"{beir.name}: {len(beir.documents)} documents, {len(beir.queries)} judged queries; filling the stores")
    found = []
    with on_shelf(beir, embedder, rows) as shelf:
        for retriever in retrievers:
            told(f"{beir.name}: {retriever}")
            found.append(_measured(beir, retriever, _retriever(retriever, shelf, embedder), shelf))
    return found


def _vector_row(backend: str, embedder: Embedder) -> Store:
    row = Store(name="meaning", kind=Store.Kind.VECTOR, backend=backend)
    row.model, row.dimension = embedder.model, embedder.dimension
    return row


def _measured(beir: BeirSet, retriever: str, ask: Callable[[str], Run], shelf: Shelf) -> Benchmarked:
    began = time.perf_counter()
    lists = {key: {shelf.document_of[hit.chunk_id]: hit.score for hit in ask(text)} for key, text in beir.queries.items()}
    took = (time.perf_counter() - began) * 1000 / len(beir.queries)
    return Benchmarked(retriever, measure(beir.qrels, lists, MEASURES), lists, took)


def _retriever(name: str, shelf: Shelf, embedder: Embedder) -> Callable[[str], Run]:
    store = {row.kind: row for row in shelf.stores}
    if name == "bm25":
        words, index = keyword_store_of(store[Store.Kind.BM25])
        return lambda text: words.find(index, keyword_query(text, language=index.language), top_k=_DEPTH, selection=EVERYTHING)
    if name == "dense":
        vectors, at = vector_store_of(store[Store.Kind.VECTOR])
        return lambda text: vectors.nearest(at, embedder.embed_query(text), top_k=_DEPTH, selection=EVERYTHING)
    return _search(shelf, rerank=name == "rerank")


def _search(shelf: Shelf, *, rerank: bool) -> Callable[[str], Run]:
    """Ask the search as a superuser who is in no table; a hit's score is its place, as the measures want falling scores."""
    slug = shelf.stores[0].collection.domain.slug
    anybody = User(username="evaluation", is_superuser=True)

    def ask(text: str) -> Run:
        request = SearchRequest(text=text, user=anybody, domains=(slug,), limit=_DEPTH, rerank=rerank)
        return tuple(Hit(hit.chunk_id, 1.0 / hit.rank) for hit in search(request).hits)

    return ask
