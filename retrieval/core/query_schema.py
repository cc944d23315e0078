"""What a model may state about declared filter fields: the typed form it fills in, and how that is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

QUERY: Final = "search_query"
_BOUNDS: Final = ("eq", "gt", "gte", "lt", "lte")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True)
class DeclaredField:
    """A filter field of a domain."""

    name: str
    value_type: str = "string"
    description: str = ""


def is_usable(name: str) -> bool:
    """Tell whether a field can be a property of a structured reply: services take plain identifiers only.

    >>> is_usable("year"), is_usable("bad-name"), is_usable("search_query")
    (True, False, False)
    """
    return name != QUERY and _NAME.fullmatch(name) is not None


def filter_properties(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the JSON Schema of each usable field, by name.

    Names of bounds have no dollar sign, since services refuse property names with one; `stated_filters` adds it.

    Args:
        fields: name to value type.
    """
    return {name: _schema_of(value_type) for name, value_type in fields.items() if is_usable(name)}


def query_schema(fields: Sequence[DeclaredField]) -> dict[str, Any]:
    """Return the JSON Schema of a search query with one optional typed property for each usable field."""
    properties = {QUERY: {"type": "string", "default": ""}, **filter_properties({one.name: one.value_type for one in fields})}
    return {"type": "object", "properties": properties, "required": [QUERY], "additionalProperties": False}


def stated_filters(output: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a reply states about fields: without nulls, empty texts, lists and ranges; bounds with their dollar sign.

    >>> stated_filters({"search_query": "x", "year": {"gte": 2020, "lte": None}, "tags": [], "note": None})
    {'year': {'$gte': 2020}}
    """
    stated: dict[str, Any] = {}
    for name, value in output.items():
        kept = _range(value) if isinstance(value, Mapping) else value
        if name != QUERY and kept not in (None, "", [], {}):
            stated[name] = kept
    return stated


def field_lines(by_domain: Mapping[str, Sequence[DeclaredField]], domains: Sequence[str]) -> str:
    """List the fields that a model may use: those of the domains, or of all where none of these declares any.

    Of two fields of one name the first is listed.

    >>> field_lines({"repos": [DeclaredField("tags", "list", "repository tags")]}, ["unknown"])
    '- tags (list): repository tags'
    """
    named = {one.name: one for domain in reversed(domains) for one in reversed(by_domain.get(domain, ()))}
    if not named:
        named = {one.name: one for fields in reversed(list(by_domain.values())) for one in reversed(fields)}
    lines = [f"- {one.name} ({one.value_type}): {one.description}" for one in reversed(named.values())]
    return "\n".join(lines) or "(none configured)"


def _schema_of(value_type: str) -> dict[str, Any]:
    text = {"type": "string"}
    texts = {"type": "array", "items": text}
    if value_type == "list":
        return texts
    if value_type == "string":
        return {"anyOf": [text, texts]}
    number = {"type": "integer" if value_type == "int" else "number"}
    bounds = {"type": "object", "properties": dict.fromkeys(_BOUNDS, number), "additionalProperties": False}
    return {"anyOf": [number, {"type": "array", "items": number}, bounds]}


def _range(value: Mapping[str, Any]) -> dict[str, Any]:
    return {f"${name.removeprefix('$')}": bound for name, bound in value.items() if bound is not None}
