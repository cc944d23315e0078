"""Work of search that a worker does."""

from __future__ import annotations

from retrieval import rebuilding
from retrieval.models import Store


def rebuild_store(store_id: int) -> int:
    """Build a store anew; one that is gone is no error."""
    store = Store.objects.filter(pk=store_id).first()
    return 0 if store is None else rebuilding.rebuild(store)


def renew_store(store_id: int) -> int:
    """Build a store of the present model beside this one and switch to it."""
    store = Store.objects.filter(pk=store_id).first()
    return 0 if store is None else rebuilding.renew(store).pk
