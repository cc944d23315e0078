"""Ask every store, side by side; one that fails doesn't take the others with it."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from django.conf import settings
from django.db import OperationalError, close_old_connections, connection

from corpus.models import Chunk
from retrieval.change_feed import follow, is_behind
from retrieval.core.hit import Run
from retrieval.core.keyword_query import KeywordQuery, keyword_query
from retrieval.core.selection import Selection
from retrieval.core.vector import Vector
from retrieval.embedder import Embedder, EmbedderUnavailable
from retrieval.keyword_store import KeywordStoreUnavailable
from retrieval.models import Store
from retrieval.opening import StoreMismatch, embedder_of, keyword_store_of, vector_store_of
from retrieval.search.request import SearchUnavailable
from retrieval.search.scope import Scope, label_of
from retrieval.search.trace import Trace, as_pairs
from retrieval.vector_store import DimensionMismatch, VectorStoreUnavailable
from retrieval.weights import WeightsMissing

_LOG: Final = logging.getLogger(__name__)
_LOOK_EVERY_S: Final = 1.0
_SMALL: Final = 2_000
_FAILURES: Final = (
    VectorStoreUnavailable,
    KeywordStoreUnavailable,
    StoreMismatch,
    DimensionMismatch,
    EmbedderUnavailable,
    WeightsMissing,
)


@dataclass(frozen=True)
class Asked:
    """A store's answer to one query."""

    store: Store
    query: int
    run: Run
    vector: Vector | None = None


@dataclass
class Question:
    """One query, with what is made of it once: a vector for each model, terms for each language."""

    text: str
    keywords: str = ""
    _words: dict[str, KeywordQuery] = field(default_factory=dict)

    def vector(self, embedder: Embedder) -> Vector:
        """Return the query's vector; remembered over searches."""
        return _embedded(embedder.embed_query, embedder.model, self.text)

    def words(self, language: str) -> KeywordQuery:
        """Return the query's terms."""
        if language not in self._words:
            self._words[language] = keyword_query(self.text, keywords=self.keywords, language=language)
        return self._words[language]


Depths = Callable[[Store], int]


def ask_all(scope: Scope, questions: Sequence[Question], depth: Depths, trace: Trace) -> list[Asked]:
    """Ask each store each question.

    Returns:
        The answers in the order of stores and questions, whatever was ready first.

    Raises:
        SearchUnavailable: there are stores, and none answered.
    """
    calls = [(store, place) for store in scope.stores for place in range(len(questions))]

    def ask(call: tuple[Store, int]) -> Asked | str:
        store, place = call
        asking = _Asking(store, place, questions[place], depth(store), scope.selections[store.collection_id])
        return _ask(asking, trace)

    answers = _side_by_side(ask, calls)
    trace.in_order("store", [(store.pk, place) for store, place in calls])
    failed = [answer for answer in answers if isinstance(answer, str)]
    for text in failed:
        trace.notice(text)
    if calls and len(failed) == len(answers):
        raise SearchUnavailable(failed[0])
    return [answer for answer in answers if isinstance(answer, Asked)]


@dataclass(frozen=True)
class _Asking:
    store: Store
    place: int
    question: Question
    k: int
    selection: Selection


def _ask(asking: _Asking, trace: Trace) -> Asked | str:
    store = asking.store
    with trace.step("store", store=store.pk, label=label_of(store), kind=store.kind, query=asking.place, k=asking.k) as told:
        try:
            found = _near(asking) if store.kind == Store.Kind.VECTOR else _worded(asking)
        except _FAILURES as error:
            _LOG.warning("store %s did not answer: %s", store, error)
            told["failed"] = str(error)
            return f"The store {label_of(store)} did not answer, so its hits are missing. {error.advice}"
        told["hits"] = as_pairs(found[0])
    return Asked(store, asking.place, *found)


def _near(asking: _Asking) -> tuple[Run, Vector | None]:
    backend, index = vector_store_of(asking.store)
    vector = asking.question.vector(embedder_of(asking.store))
    return backend.nearest(index, vector, top_k=asking.k, selection=asking.selection), vector


def _worded(asking: _Asking) -> tuple[Run, Vector | None]:
    backend, index = keyword_store_of(asking.store)
    _keep_up(asking.store)
    return backend.find(index, asking.question.words(index.language), top_k=asking.k, selection=asking.selection), None


@lru_cache(maxsize=4096)
def _embedded(embed: Callable[[str], Vector], _model: str, text: str) -> Vector:
    vector = embed(text)
    vector.flags.writeable = False
    return vector


def _side_by_side(ask: Callable[[tuple[Store, int]], Asked | str], calls: list[tuple[Store, int]]) -> list[Asked | str]:
    """Give all calls but the first vector store's to other threads; that one is made here."""
    if settings.SEARCH_THREADS <= 1 or len(calls) <= 1:
        return [ask(call) for call in calls]
    here = next((place for place, (store, _) in enumerate(calls) if store.kind == Store.Kind.VECTOR), 0)
    waiting: dict[int, Future[Asked | str]] = {
        place: _threads().submit(_with_own_connection, ask, call) for place, call in enumerate(calls) if place != here
    }
    mine = ask(calls[here])
    return [mine if place == here else waiting[place].result() for place in range(len(calls))]


def _with_own_connection(ask: Callable[[tuple[Store, int]], Asked | str], call: tuple[Store, int]) -> Asked | str:
    try:
        return ask(call)
    finally:
        connection.close()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=settings.SEARCH_THREADS, thread_name_prefix="search")


os.register_at_fork(after_in_child=_threads.cache_clear)  # threads do not survive a fork
_looked: dict[int, float] = {}
_looking = threading.Lock()


def _keep_up(store: Store) -> None:
    """See now and then whether the index on this machine is behind, and let it catch up beside the search."""
    now = time.monotonic()
    with _looking:
        if now - _looked.get(store.pk, -_LOOK_EVERY_S) < _LOOK_EVERY_S:
            return
        _looked[store.pk] = now
    if not is_behind(store):
        return
    backend, index = keyword_store_of(store)
    new_and_small = not backend.position(index) and _is_small(store)
    if settings.SEARCH_THREADS <= 1 or new_and_small:
        follow(store, wait=False)
    else:
        threading.Thread(target=_follow, args=(store,), name=f"follow-{store.pk}", daemon=True).start()


def _is_small(store: Store) -> bool:
    chunks = Chunk.objects.filter(source_file__collection=store.collection_id)
    return len(chunks.values_list("pk")[: _SMALL + 1]) <= _SMALL


def _follow(store: Store) -> None:
    try:
        close_old_connections()
        follow(store, wait=False)
    except (KeywordStoreUnavailable, StoreMismatch, OperationalError) as error:
        _LOG.warning("keyword store %s could not catch up: %s", store, error)
    finally:
        connection.close()


def forget_vectors() -> None:
    """Drop remembered vectors of questions (for tests and changed settings)."""
    _embedded.cache_clear()
    _looked.clear()
