"""Which stores a request reaches, and which of their chunks: scope, filter and permission together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Some
from dataclasses import dataclass, field

from django.conf import settings

from corpus.models import Collection, Domain, FilterField, SourceFile
from retrieval.core.depth import Depth
from retrieval.core.filters import Filter, fields_of, restrict
from retrieval.core.selection import Selection
from retrieval.labels import passing
from retrieval.models import Store
from retrieval.search.request import SearchRequest, UnknownScope
from retrieval.search.trace import Trace


@dataclass
class Scope:
    """The stores to ask, each collection's selection, and whether a filter left nothing.

    Attributes:
        stores: enabled, of visible chosen domains, in a fixed order.
        selections: by collection.
        filtered_out: domains in which the filter lets nothing pass.
    """

    stores: list[Store] = field(default_factory=list)
    selections: dict[int, Selection] = field(default_factory=dict)
    filtered_out: list[Domain] = field(default_factory=list)

    @property
    def domains(self) -> dict[int, Domain]:
        """The domains of the stores, by key."""
        return {store.collection.domain_id: store.collection.domain for store in self.stores}

    def without(self, selections: dict[int, Selection]) -> Scope:
        """Return the same stores with other selections."""
        return Scope(self.stores, selections, [])


def scope_of(request: SearchRequest, trace: Trace) -> Scope:
    """Find what the request reaches.

    Raises:
        UnknownScope: it names a domain, collection or file that the user can't see.
    """
    _check_domains(request)
    stores = Store.objects.visible_to(request.user).filter(enabled=True).select_related("collection__domain")
    if request.domains is not None:
        stores = stores.filter(collection__domain__slug__in=request.domains)
    if request.collections is not None:
        _check_collections(request)
        stores = stores.filter(collection_id__in=request.collections)
    found = list(stores.order_by("collection__domain__slug", "collection_id", "kind", "pk"))
    files = _files(request)
    if files is not None:
        found = [store for store in found if store.collection_id in files]
    scope = Scope(found, {store.collection_id: Selection(source_files=_of(files, store)) for store in found})
    return scope if request.where is None else _filtered(scope, request.where, trace)


def label_of(store: Store) -> str:
    """Name a store for people: domain, collection, store."""
    return f"{store.collection.domain.slug}/{store.collection.slug}/{store.name}"


def depth_of(store: Store) -> Depth:
    """Return the store's depth, with the site's where it says nothing."""
    return Depth(
        store.default_k or settings.SEARCH_DEFAULT_K,
        store.k_max or settings.SEARCH_K_MAX,
        store.k_inc or settings.SEARCH_K_INC,
    )


def _filtered(scope: Scope, where: Filter, trace: Trace) -> Scope:
    declared: dict[int, set[str]] = defaultdict(set)
    for domain_id, name in FilterField.objects.filter(domain__in=scope.domains).values_list("domain_id", "name"):
        declared[domain_id].add(name)
    selections: dict[int, Selection] = {}
    passed: set[int] = set()
    for collection_id, selection in scope.selections.items():
        domain = next(store.collection.domain for store in scope.stores if store.collection_id == collection_id)
        applied = restrict(where, declared[domain.pk])
        if fields_of(applied) != fields_of(where):
            ignored = ", ".join(sorted(fields_of(where) - fields_of(applied)))
            trace.notice(f"{domain.name} has no filter field {ignored}; there it was left out.")
        labels = None if applied is None else passing(collection_id, applied)
        selections[collection_id] = Selection(labels, selection.source_files)
        if labels is None or labels:
            passed.add(domain.pk)
    filtered_out = [domain for domain in scope.domains.values() if domain.pk not in passed]
    return Scope(scope.stores, selections, filtered_out)


def _check_domains(request: SearchRequest) -> None:
    if request.domains is None:
        return
    seen = set(Domain.objects.visible_to(request.user).filter(slug__in=request.domains).values_list("slug", flat=True))
    _refuse("domain", set(request.domains) - seen)


def _check_collections(request: SearchRequest) -> None:
    wanted = request.collections or ()
    seen = set(Collection.objects.visible_to(request.user).filter(pk__in=wanted).values_list("pk", flat=True))
    _refuse("collection", set(wanted) - seen)


def _files(request: SearchRequest) -> dict[int, frozenset[int]] | None:
    """Return the chosen files by collection; None if all may be found."""
    if request.source_files is None:
        return None
    rows = SourceFile.objects.visible_to(request.user).held().filter(pk__in=request.source_files)
    by_collection: dict[int, set[int]] = defaultdict(set)
    for pk, collection_id in rows.values_list("pk", "collection_id"):
        by_collection[collection_id].add(pk)
    _refuse("file", set(request.source_files) - {pk for files in by_collection.values() for pk in files})
    return {collection_id: frozenset(files) for collection_id, files in by_collection.items()}


def _of(files: dict[int, frozenset[int]] | None, store: Store) -> frozenset[int] | None:
    return None if files is None else files[store.collection_id]


def _refuse(kind: str, unknown: Some[object]) -> None:
    if unknown:
        raise UnknownScope(f"There is no {kind} {', '.join(sorted(map(str, unknown)))}.")
