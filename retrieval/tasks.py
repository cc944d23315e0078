"""Work of search that a worker does."""

from __future__ import annotations

from corpus.models import Domain
from retrieval import rebuilding
from retrieval.evaluation import NothingToMeasure, measure_domain
from retrieval.models import Store


def rebuild_store(store_id: int) -> int:
    """Build a store anew; one that is gone is no error."""
    store = Store.objects.filter(pk=store_id).first()
    return 0 if store is None else rebuilding.rebuild(store)


def renew_store(store_id: int) -> int:
    """Build a store of the present model beside this one and switch to it."""
    store = Store.objects.filter(pk=store_id).first()
    return 0 if store is None else rebuilding.renew(store).pk


def measure(domain_id: int, label: str = "") -> str:
    """Measure a domain's golden questions; none is no error."""
    domain = Domain.objects.filter(pk=domain_id).first()
    if domain is None:
        return ""
    try:
        return str(measure_domain(domain, label=label))
    except NothingToMeasure as error:
        return str(error)
