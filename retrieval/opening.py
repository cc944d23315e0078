"""From a store's row to the back end and model that serve it, and the refusal of what doesn't fit."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from corpus.backend import from_settings
from corpus.models import Collection
from retrieval.core.analysis import analyzer_name
from retrieval.embedder import Embedder
from retrieval.keyword_store import KeywordIndex, KeywordStore
from retrieval.models import Store
from retrieval.vector_store import MOST_DIMENSIONS, TooManyDimensions, VectorIndex, VectorStore


class StoreMismatch(Exception):  # noqa: N818 -- read as a sentence
    """A store was made with something that the settings no longer name."""

    retryable = False

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice


def default_embedder() -> Embedder:
    """Return the embedder that new stores are made with."""
    found: Embedder = from_settings("EMBEDDERS", settings.EMBEDDER)
    return found


def embedder_of(store: Store) -> Embedder:
    """Return the embedder that made the store's vectors, the default or any other that the settings hold.

    Raises:
        StoreMismatch: no embedder of the settings has the store's model.
    """
    for alias in dict.fromkeys([settings.EMBEDDER, *settings.EMBEDDERS]):
        embedder: Embedder = from_settings("EMBEDDERS", alias)
        if embedder.model == store.model:
            return embedder
    raise StoreMismatch(
        f"The vectors of {store} come from the model {store.model}, which no entry of EMBEDDERS has.",
        f"Add it to the settings again, or build the store with the present one: manage.py rebuild_store {store.pk} --model.",
    )


def vector_store_of(store: Store) -> tuple[VectorStore, VectorIndex]:
    """Return the back end of a vector store and its index there.

    Raises:
        StoreMismatch: the settings don't name the back end, or the row has no dimension.
    """
    if store.dimension is None:
        raise StoreMismatch(f"{store} has no dimension.", f"Run: manage.py rebuild_store {store.pk} --model.")
    return _backend("VECTOR_STORES", store), VectorIndex(store.pk, store.dimension)


def keyword_store_of(store: Store) -> tuple[KeywordStore, KeywordIndex]:
    """Return the back end of a keyword store and its index there.

    Raises:
        StoreMismatch: the settings don't name the back end.
    """
    return _backend("KEYWORD_STORES", store), KeywordIndex(store.pk, store.analyzer)


def ensure_stores(collection: Collection) -> list[Store]:
    """Return the collection's stores; one that has none gets a vector and a keyword store with the site's defaults."""
    held = list(collection.stores.all())
    if held:
        return held
    embedder = default_embedder()
    if embedder.dimension > MOST_DIMENSIONS:
        raise TooManyDimensions(embedder.dimension)
    with transaction.atomic():
        Collection.objects.select_for_update().get(pk=collection.pk)
        if not collection.stores.exists():
            fit(Store(collection=collection, name="meaning", kind=Store.Kind.VECTOR, backend=settings.VECTOR_STORE)).save()
            fit(Store(collection=collection, name="words", kind=Store.Kind.BM25, backend=settings.KEYWORD_STORE)).save()
    return list(collection.stores.all())


def fit(store: Store, *, language: str = "english") -> Store:
    """Write into the row (unsaved) what a store made now is made with."""
    if store.kind == Store.Kind.VECTOR:
        embedder = default_embedder()
        store.model, store.dimension = embedder.model, embedder.dimension
    else:
        store.analyzer = analyzer_name(language)
    told = json.dumps([store.kind, store.backend, store.model, store.dimension, store.analyzer])
    store.settings_hash = hashlib.sha256(told.encode()).hexdigest()
    return store


def _backend(setting: str, store: Store) -> Any:
    try:
        return from_settings(setting, store.backend)
    except ImproperlyConfigured as error:
        raise StoreMismatch(f"{store} needs the back end {store.backend}. {error}", f"Add it to {setting} again.") from error
