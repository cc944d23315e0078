"""Metadata as filters compare it: what is text, number or day in each field, folded once."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from corpus.core.names import name_keys, parse_name, query_key
from corpus.core.text import fold

PEOPLE: Final = frozenset({"author", "authors", "editor", "editors", "contributor", "contributors"})
"""Fields that hold names of people; they are compared by name keys, so that "J. Garcia" finds "Juan García-López"."""

TEXT: Final = "t"
NUMBER: Final = "n"
DAY: Final = "d"
NAME: Final = "k"
PASSAGE: Final = "s"
WRITTEN: Final = "w"
"""Kinds of facets: a text, a number, a day, a name key, a text that stands alone (no member of a list), and a number that is
written as text, which is a number too."""

TEXTS: Final = (TEXT, WRITTEN, DAY)
"""The kinds in which every text is found as it is written, folded."""

FORM: Final = 2
"""Who changes what `facets` gives raises this: kept facets of another form are made again."""

Facets = dict[str, dict[str, list[Any]]]
_FIGURE: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?")
_DATE: Final = re.compile(r"(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[T ]\d{2}:\d{2}.*)?")


def facets(metadata: Mapping[str, Any]) -> Facets:
    """Return the values of each field by kind; a field without a value is left out.

    >>> facets({"year": 2020.0, "tags": ["CA1"], "note": None})
    {'year': {'n': [2020]}, 'tags': {'t': ['ca1']}}
    """
    found: Facets = {}
    for name, held in metadata.items():
        values = held if isinstance(held, list) else [held]
        of_field: dict[str, list[Any]] = {}
        for value in values:
            for kind, form in forms(value, person=name in PEOPLE, alone=not isinstance(held, list)):
                kept = of_field.setdefault(kind, [])
                if form not in kept:
                    kept.append(form)
        if of_field:
            found[name] = of_field
    return found


def forms(value: Any, *, person: bool = False, alone: bool = False) -> list[tuple[str, Any]]:
    """Return the kinds and forms of one stored value; none of what can't be compared.

    Args:
        value: text, number or truth value; anything else has no form.
        person: it is the name of a person.
        alone: it is the field's only value and no list.
    """
    if isinstance(value, bool):
        return [(TEXT, str(value).lower())]
    if isinstance(value, int | float):
        return [(NUMBER, number(value))] if math.isfinite(value) else []
    if not isinstance(value, str):
        return []
    told = fold(value)
    if not told:
        return []
    figure, day = figure_of(value), day_of(value)
    found: list[tuple[str, Any]] = [(DAY, day) if day else (TEXT, told) if figure is None else (WRITTEN, told)]
    if figure is not None:
        found.append((NUMBER, figure))
    if alone:
        found.append((PASSAGE, told))
    if person:
        found += [(NAME, key) for key in name_keys(parse_name(value)) if key]
    return found


def number(value: int | float) -> int | float:
    """Write a number in the one form that JSON, PostgreSQL and Python compare alike: whole ones as integers."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def figure_of(text: str) -> int | float | None:
    """Return the number that a text is, None if it is none; one with leading zeros is a code and no number.

    >>> figure_of(" 5.0 "), figure_of("05"), figure_of("5 mV")
    (5, None, None)
    """
    bare = text.strip()
    if not _FIGURE.fullmatch(bare):
        return None
    return number(float(bare)) if "." in bare else int(bare)


def day_of(text: str) -> str:
    """Return the day of a date or date-time, as YYYY-MM-DD; empty if the text is none.

    >>> day_of("2025-03-01T10:00:00")
    '2025-03-01'
    """
    found = _DATE.fullmatch(text.strip())
    return found.group(1) if found else ""


def operand(value: Any, *, person: bool = False) -> tuple[str, Any] | None:
    """Return the kind and form of what a filter compares with; None if nothing can equal it."""
    if person and isinstance(value, str):
        key = query_key(value)
        return (NAME, key) if key else None
    found = forms(value)
    return found[0] if found else None
