"""Which metadata of a collection pass a filter: decided in SQL over each metadata once, not over each chunk.

Chunks carry the key of their metadata (an MD5 of it); stores are told the keys that pass. So every store agrees with
`core.filters.matches`, and the number of chunks that pass is known before a store is asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from corpus.models import Chunk
from retrieval.core.facets import FORM, NAME, NUMBER, PASSAGE, PEOPLE, TEXTS, facets, operand
from retrieval.core.filters import Filter
from retrieval.models import Label

CHUNK_LABEL: Final = "md5(chunk.metadata::text)::uuid"
"""The key of a chunk's metadata in SQL, where the chunk's table is called `chunk`; an index holds it."""

_STAMP: Final = {"": {"form": [FORM]}}
"""Stands under the empty name, which no filter can have."""

_of_present_form: set[int] = set()

Condition = tuple[str, list[Any]]
_NEVER: Final[Condition] = ("FALSE", [])
_SIGNS: Final = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def passing(collection_id: int, where: Filter) -> frozenset[str]:
    """Return the keys of the collection's metadata that pass a canonical filter, as hexadecimal."""
    complete_facets(collection_id)
    condition, values = sql_of(where)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT key FROM retrieval_label WHERE collection_id = %s AND ({condition})",  # noqa: S608 -- no text from outside
            [collection_id, *values],
        )
        return frozenset(key.hex for (key,) in cursor.fetchall())


def labelled(chunks: QuerySet[Chunk]) -> Any:
    """Return the chunks, each with the key of its metadata as `label`."""
    return chunks.extra(select={"label": CHUNK_LABEL.replace("chunk.", "corpus_chunk.")})  # noqa: S610 -- a constant


def complete_facets(collection_id: int) -> int:
    """Write the facets of metadata that came since the last filter, or have them in a form of the past; return how many."""
    rows = Label.objects.filter(collection_id=collection_id)
    if collection_id not in _of_present_form:
        rows.filter(facets__isnull=False).exclude(facets__contains=_STAMP).update(facets=None)
        _of_present_form.add(collection_id)
    waiting = list(rows.filter(facets__isnull=True).only("pk", "metadata"))
    for label in waiting:
        label.facets = {**facets(label.metadata), **_STAMP}
    Label.objects.bulk_update(waiting, ["facets"], batch_size=500)
    return len(waiting)


def sql_of(where: Filter) -> Condition:
    """Write a canonical filter as a condition on `facets`, with its values."""
    ((key, value),) = where.items()
    if key in {"$and", "$or"}:
        parts = [sql_of(part) for part in value]
        word = " AND " if key == "$and" else " OR "
        return f"({word.join(condition for condition, _ in parts)})", [one for _, values in parts for one in values]
    ((name, given),) = value.items()
    return _COMPARISONS[name](key, name, given)


def _equals(field: str, _name: str, given: Any) -> Condition:
    wanted = operand(given, person=field in PEOPLE)
    return _NEVER if wanted is None else ("facets @> %s::jsonb", [json.dumps({field: {wanted[0]: [wanted[1]]}})])


def _among(field: str, _name: str, given: list[Any]) -> Condition:
    parts = [_equals(field, "$eq", one) for one in given] or [_NEVER]
    return f"({' OR '.join(condition for condition, _ in parts)})", [one for _, values in parts for one in values]


def _not(test: Callable[[str, str, Any], Condition]) -> Callable[[str, str, Any], Condition]:
    """Negate a test; the field must have a value all the same."""

    def negated(field: str, name: str, given: Any) -> Condition:
        condition, values = test(field, name, given)
        return f"(facets ? %s AND NOT {condition})", [field, *values]

    return negated


def _contains(field: str, name: str, given: Any) -> Condition:
    member, values = _equals(field, name, given)
    wanted = operand(given)
    if wanted is None or wanted[0] not in TEXTS:
        return member, values
    part, path = _elements(field, PASSAGE)
    return f"({member} OR EXISTS (SELECT 1 FROM {part} WHERE strpos(held, %s) > 0))", [*values, *path, wanted[1]]  # noqa: S608 -- made of constants


def _exceeds(field: str, name: str, given: Any) -> Condition:
    wanted = operand(given)
    if wanted is None or wanted[0] == NAME:
        return _NEVER
    kind, limit = wanted
    part, path = _elements(field, kind)
    side = "held::numeric" if kind == NUMBER else 'held COLLATE "C"'
    other = "%s::text::numeric" if kind == NUMBER else "%s"
    told = str(limit) if kind == NUMBER else limit
    return f"EXISTS (SELECT 1 FROM {part} WHERE {side} {_SIGNS[name]} {other})", [*path, told]  # noqa: S608 -- made of constants


def _looks_into(field: str, name: str, given: Any) -> Condition:
    wanted = operand(given)
    if wanted is None or wanted[0] not in TEXTS:
        return _NEVER
    lists = " || ".join("coalesce(facets #> ARRAY[%s, %s], '[]')" for _ in TEXTS)
    path = [part for kind in TEXTS for part in (field, kind)]
    tests = {
        "$has": ("strpos(held, %s) > 0", [wanted[1]]),
        "$starts": ("starts_with(held, %s)", [wanted[1]]),
        "$ends": ("right(held, length(%s)) = %s", [wanted[1], wanted[1]]),
    }
    test, values = tests[name]
    return f"EXISTS (SELECT 1 FROM jsonb_array_elements_text({lists}) AS held WHERE {test})", [*path, *values]  # noqa: S608 -- made of constants


def _lacks(field: str, _name: str, given: Any) -> Condition:
    return _not(_looks_into)(field, "$has", given)


def _exists(field: str, _name: str, given: Any) -> Condition:
    return ("facets ? %s" if given else "NOT facets ? %s"), [field]


def _elements(field: str, kind: str) -> Condition:
    return "jsonb_array_elements_text(coalesce(facets #> ARRAY[%s, %s], '[]')) AS held", [field, kind]


_COMPARISONS: Final[dict[str, Callable[[str, str, Any], Condition]]] = {
    "$eq": _equals,
    "$ne": _not(_equals),
    "$in": _among,
    "$nin": _not(_among),
    "$contains": _contains,
    "$has": _looks_into,
    "$lacks": _lacks,
    "$starts": _looks_into,
    "$ends": _looks_into,
    "$exists": _exists,
    "$gt": _exceeds,
    "$gte": _exceeds,
    "$lt": _exceeds,
    "$lte": _exceeds,
}
