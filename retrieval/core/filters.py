"""The language of filters, its one canonical form, and what it means.

A filter constrains the metadata of chunks: `{"year": {"$gte": 2020}}`, combined by `$and` and `$or`. `matches` is the meaning;
stores may decide faster, never differently. No filter (None) lets everything pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from retrieval.core.facets import NUMBER, PASSAGE, PEOPLE, TEXTS, Facets, facets, operand

Filter = Mapping[str, Any]
"""Canonical: one key a level; a field with one operator, or a combinator with two or more filters."""

COMPARISONS: Final = (
    *("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$contains"),
    *("$has", "$lacks", "$starts", "$ends", "$exists"),
)
COMBINATORS: Final = ("$and", "$or")
VALUE_TYPES: Final = ("string", "int", "float", "list")
_MANY: Final = frozenset({"$in", "$nin"})
_DEEPEST: Final = 20


class FilterError(ValueError):
    """A filter can't be understood; the message says what is allowed, and `allowed` lists it where it can be listed."""

    status = 400
    advice = 'Correct the filter: a field with an operator, such as {"year": {"$gte": 2020}}, combined by $and and $or.'

    def __init__(self, message: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.allowed = list(allowed) or None


class OperandError(FilterError, TypeError):
    """An operand is of the wrong type."""


def canonical(where: object, *, depth: int = 0) -> Filter:
    """Bring a filter to its canonical form.

    Raises:
        FilterError: it isn't one.

    >>> canonical({"journal": "Nature", "year": {"$gte": 2020, "$lte": 2025}})
    {'$and': [{'journal': {'$eq': 'Nature'}}, {'year': {'$gte': 2020}}, {'year': {'$lte': 2025}}]}
    """
    if not isinstance(where, Mapping):
        raise OperandError(f"A filter is an object of fields and operators, not {_kind(where)}.")
    if not where:
        raise FilterError("A filter needs at least one field.")
    if depth > _DEEPEST:
        raise FilterError(f"A filter may be nested {_DEEPEST} levels deep.")
    clauses = [clause for key, value in where.items() for clause in _clauses(key, value, depth)]
    return clauses[0] if len(clauses) == 1 else {"$and": clauses}


def _clauses(key: object, value: object, depth: int) -> list[Filter]:
    if not isinstance(key, str) or not key:
        raise FilterError("The name of a field is a text that is not empty.")
    if key in COMBINATORS:
        return [_combination(key, value, depth)]
    if key.startswith("$"):
        raise FilterError(f"{key} is no combinator. Allowed: {', '.join(COMBINATORS)}.", COMBINATORS)
    if not isinstance(value, Mapping):
        return [{key: {"$eq": _scalar(key, "$eq", value)}}]
    if not value:
        raise FilterError(f"{key} has no operator. Allowed: {', '.join(COMPARISONS)}.", COMPARISONS)
    return [{key: {name: _operand(key, name, given)}} for name, given in value.items()]


def _combination(name: str, parts: object, depth: int) -> Filter:
    if isinstance(parts, str) or not isinstance(parts, Sequence):
        raise OperandError(f"{name} takes a list of filters, not {_kind(parts)}.")
    if not parts:
        raise FilterError(f"{name} needs at least one filter.")
    for part in parts:
        if isinstance(part, Mapping) and len(part) != 1:
            raise FilterError(f"Each filter in {name} has exactly one key; this one has {len(part)}. Combine several by $and.")
    inner = [canonical(part, depth=depth + 1) for part in parts]
    return inner[0] if len(inner) == 1 else {name: inner}


def _operand(field: str, name: object, given: object) -> Any:
    if name not in COMPARISONS:
        raise FilterError(f"{field}: {name} is no operator. Allowed: {', '.join(COMPARISONS)}.", COMPARISONS)
    if name == "$exists":
        if not isinstance(given, bool):
            raise OperandError(f"{field}: $exists takes true or false, not {_kind(given)}.")
        return given
    if name not in _MANY:
        return _scalar(field, str(name), given)
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise OperandError(f"{field}: {name} takes a list, not {_kind(given)}.")
    return [_scalar(field, str(name), one) for one in given]


def _scalar(field: str, name: str, given: object) -> Any:
    if isinstance(given, str | int | float | bool):
        return given
    hint = " Use $in for several values." if isinstance(given, list) else ""
    raise OperandError(f"{field}: {name} takes a text, a number or a truth value, not {_kind(given)}.{hint}")


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", type(None): "null", str: "a text"}
    return names.get(type(value), f"a {type(value).__name__}")


def matches(where: Filter | None, metadata: Mapping[str, Any]) -> bool:
    """Tell whether metadata passes a canonical filter.

    Text is compared without case and diacritics, people by name keys, dates by day. Numbers, dates and words never equal or
    exceed each other; a number that is stored as text is a number too. Of a list any value may match; a negative operator wants
    that none does. A field without a value passes no operator, negative ones included, but `$exists`. `$contains` is membership
    in a list and part of a text that stands alone; `$has`, `$lacks`, `$starts` and `$ends` look into every text.

    >>> matches({"authors": {"$contains": "garcia"}}, {"authors": ["Juan García"]})
    True
    >>> matches({"tags": {"$ne": "alpha"}}, {"tags": ["alpha", "beta"]}), matches({"year": {"$gte": "2020"}}, {"year": 2021})
    (False, False)
    """
    return where is None or facets_match(where, facets(metadata))


def facets_match(where: Filter, held: Facets) -> bool:
    """Tell whether facets pass a canonical filter."""
    ((key, value),) = where.items()
    if key == "$and":
        return all(facets_match(part, held) for part in value)
    if key == "$or":
        return any(facets_match(part, held) for part in value)
    ((name, given),) = value.items()
    of_field = held.get(key)
    if name == "$exists":
        return (of_field is not None) == bool(given)
    return of_field is not None and _compare(name, given, of_field, person=key in PEOPLE)


def _compare(name: str, given: Any, held: Mapping[str, list[Any]], *, person: bool) -> bool:
    if name in _MANY:
        among = any(_equals(one, held, person=person) for one in given)
        return among == (name == "$in")
    if name in {"$eq", "$ne"}:
        return _equals(given, held, person=person) == (name == "$eq")
    if name == "$contains":
        return _equals(given, held, person=person) or _is_part(given, held)
    if name in {"$has", "$lacks", "$starts", "$ends"}:
        return _looks_into(name, given, held)
    return _exceeds(name, given, held)


def _equals(given: Any, held: Mapping[str, list[Any]], *, person: bool) -> bool:
    wanted = operand(given, person=person)
    return wanted is not None and wanted[1] in held.get(wanted[0], ())


def _is_part(given: Any, held: Mapping[str, list[Any]]) -> bool:
    wanted = operand(given)
    text = wanted[1] if wanted and wanted[0] in TEXTS else None
    return text is not None and any(text in whole for whole in held.get(PASSAGE, ()))


def _looks_into(name: str, given: Any, held: Mapping[str, list[Any]]) -> bool:
    wanted = operand(given)
    texts = [text for kind in TEXTS for text in held.get(kind, ())]
    part = wanted[1] if wanted and wanted[0] in TEXTS else None
    if name == "$lacks":
        return part is None or not any(part in text for text in texts)
    if part is None:
        return False
    if name == "$has":
        return any(part in text for text in texts)
    return any(text.startswith(part) if name == "$starts" else text.endswith(part) for text in texts)


_ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "$gt": lambda value, limit: value > limit,
    "$gte": lambda value, limit: value >= limit,
    "$lt": lambda value, limit: value < limit,
    "$lte": lambda value, limit: value <= limit,
}


def _exceeds(name: str, given: Any, held: Mapping[str, list[Any]]) -> bool:
    wanted = operand(given)
    if wanted is None:
        return False
    kind, limit = wanted
    values = held.get(kind, ())
    if kind == NUMBER:
        return any(_ORDER[name](value, limit) for value in values)
    return any(_ORDER[name](sort_form(value), sort_form(limit)) for value in values)


def sort_form(text: str) -> bytes:
    """Return the form by which words are ordered: by code points, as PostgreSQL's collation "C" orders UTF-8."""
    return text.encode("utf-8")


def combine(clauses: Sequence[Filter]) -> Filter | None:
    """Join clauses that must all hold: none -> None, one -> itself, several -> `$and`."""
    if not clauses:
        return None
    return clauses[0] if len(clauses) == 1 else {"$and": list(clauses)}


def fields_of(where: Filter | None) -> frozenset[str]:
    """Return the fields that a canonical filter names."""
    if where is None:
        return frozenset()
    ((key, value),) = where.items()
    return frozenset().union(*(fields_of(part) for part in value)) if key in COMBINATORS else frozenset({key})


def restrict(where: Filter | None, allowed: Collection[str]) -> Filter | None:
    """Keep what a domain can decide: clauses of the outer `$and` whose fields are all declared; `$or` whole or not at all.

    >>> restrict({"$and": [{"journal": {"$eq": "nature"}}, {"username": {"$eq": "padraig"}}]}, ["journal"])
    {'journal': {'$eq': 'nature'}}
    """
    if where is None:
        return None
    ((key, value),) = where.items()
    parts = value if key == "$and" else [where]
    return combine([part for part in parts if fields_of(part) <= frozenset(allowed)])
