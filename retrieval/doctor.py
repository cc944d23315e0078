"""What `manage.py doctor` asks of search: silent mismatches between stores, models, filters and the library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.core.checks import CheckMessage, Error, Warning  # noqa: A004 -- Django's name
from django.db import DatabaseError, connection

from corpus.models import Chunk, Domain, FilterField, State
from retrieval.change_feed import is_behind
from retrieval.core.facets import DAY, NUMBER, facets
from retrieval.keyword_store import KeywordStoreUnavailable
from retrieval.models import Label, Store
from retrieval.opening import StoreMismatch, embedder_of, keyword_store_of, vector_store_of
from retrieval.vector_store import VectorStoreUnavailable
from retrieval.weights import WeightsMissing

_SAMPLE: Final = 2_000
_EXAMPLES: Final = 3
_FAILURES: Final = (StoreMismatch, KeywordStoreUnavailable, VectorStoreUnavailable, WeightsMissing)


def stores_are_whole(**_: Any) -> list[CheckMessage]:
    """Every store fits its model and holds what its collection holds."""
    try:
        return [message for store in Store.objects.select_related("collection__domain") for message in _of_store(store)]
    except DatabaseError:
        return [Warning("The stores were not looked at: the database is not ready.", id="klea.D040")]


def filter_fields_are_in_use(**_: Any) -> list[CheckMessage]:
    """Every declared filter field is in the metadata, with values of its type."""
    try:
        return [message for domain in Domain.objects.all() for message in _of_fields(domain)]
    except DatabaseError:
        return [Warning("The filter fields were not looked at: the database is not ready.", id="klea.D050")]


def _of_store(store: Store) -> Iterator[CheckMessage]:
    rebuild = f"Run: manage.py rebuild_store {store.pk}."
    wanted = Chunk.objects.filter(
        source_file__collection=store.collection_id, source_file__state=State.READY, enabled=True
    ).count()
    try:
        held = _held(store)
        if store.kind == Store.Kind.BM25 and is_behind(store):
            yield Warning(f"{store}: the keyword index on this machine is behind the library.", hint=rebuild, id="klea.D043")
            return
    except _FAILURES as error:
        yield Error(f"{store}: {error}", hint=error.advice, id="klea.D041")
        return
    if held < wanted:
        what = "is empty" if held == 0 else f"lacks {wanted - held} passages"
        yield Error(f"{store} {what}; {wanted} of its collection are ready.", hint=rebuild, id="klea.D042")


def _held(store: Store) -> int:
    if store.kind == Store.Kind.BM25:
        words, at = keyword_store_of(store)
        return words.count(at)
    embedder_of(store)
    vectors, index = vector_store_of(store)
    return vectors.count(index)


def _of_fields(domain: Domain) -> Iterator[CheckMessage]:
    rows = list(Label.objects.filter(collection__domain=domain).values_list("metadata", flat=True)[:_SAMPLE])
    if not rows:
        return
    there = _keys(domain)
    for field in FilterField.objects.filter(domain=domain):
        values = [row[field.name] for row in rows if row.get(field.name) not in (None, [], "")]
        if not values:
            hint = f"Fields that are there: {', '.join(there) or 'none'}. Rename the field or fill it in the metadata."
            yield Warning(f"{domain}: no passage has the filter field {field.name}.", hint=hint, id="klea.D051")
        elif not any(_fits(field, value) for value in values):
            shown = ", ".join(repr(value)[:60] for value in values[:_EXAMPLES])
            hint = f"Values that are there: {shown}. Change the type, or the metadata."
            yield Warning(
                f"{domain}: {field.name} is declared as {field.value_type}, but no value is.", hint=hint, id="klea.D052"
            )


def _fits(field: FilterField, value: Any) -> bool:
    kinds = set(facets({"value": value}).get("value", {}))
    if field.value_type in {FilterField.ValueType.INT, FilterField.ValueType.FLOAT}:
        return NUMBER in kinds
    if field.value_type == FilterField.ValueType.LIST:
        return isinstance(value, list)
    return bool(kinds - {NUMBER}) or DAY in kinds


def _keys(domain: Domain) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT jsonb_object_keys(label.metadata) FROM retrieval_label label "
            "JOIN corpus_collection collection ON collection.id = label.collection_id WHERE collection.domain_id = %s ORDER BY 1",
            [domain.pk],
        )
        return [key for (key,) in cursor.fetchall()]
