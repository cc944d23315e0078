"""Build a store anew, or beside it one of the present model or analysis that takes its place when it is whole."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from corpus.models import SourceFile
from retrieval import change_feed
from retrieval.filling import fill
from retrieval.models import Store
from retrieval.opening import fit, keyword_store_of, vector_store_of

Told = Callable[[int, int], None]
"""Called with files done and files in all."""


def rebuild(store: Store, *, told: Told = lambda _done, _all: None) -> int:
    """Bring a store to what the database says: a keyword store anew, of a vector store what is missing or gone.

    The store serves meanwhile. Returns how many chunks it holds.
    """
    if store.kind == Store.Kind.BM25:
        change_feed.rebuild(store)
        words, at = keyword_store_of(store)
        return words.count(at)
    files = list(SourceFile.objects.held().filter(collection=store.collection_id))
    for done, file in enumerate(files, start=1):
        fill(store, file)
        told(done, len(files))
    vectors, index = vector_store_of(store)
    vectors.build(index)
    return vectors.count(index)


def renew(store: Store, *, told: Told = lambda _done, _all: None) -> Store:
    """Build a store of the present embedding model, or analysis, and switch to it.

    The old store serves until the new one is whole; then one is switched on and the other off, at once. The old one stays, so
    that `switch` goes back.
    """
    new = fit(Store(collection=store.collection, name=_free_name(store), kind=store.kind, backend=store.backend, enabled=False))
    new.default_k, new.k_max, new.k_inc = store.default_k, store.k_max, store.k_inc
    new.save()
    rebuild(new, told=told)
    switch(store, new)
    new.refresh_from_db()
    return new


@transaction.atomic
def switch(off: Store, on: Store) -> None:
    """Let one store serve in another's place."""
    Store.objects.filter(pk=off.pk).update(enabled=False)
    Store.objects.filter(pk=on.pk).update(enabled=True)


def discard(store: Store) -> None:
    """Remove a store with what it holds."""
    if store.kind == Store.Kind.BM25:
        words, at = keyword_store_of(store)
        words.drop(at)
    else:
        vectors, index = vector_store_of(store)
        vectors.drop(index)
    store.delete()


def _free_name(store: Store) -> str:
    taken = set(store.collection.stores.values_list("name", flat=True))
    stem = store.name.rstrip("0123456789").rstrip("-")
    return next(name for number in range(2, len(taken) + 3) if (name := f"{stem}-{number}") not in taken)
