"""Filters that a person writes into a question: `year:2019`, `year>=2015`, `authors:"de Souza"`, `-tags:review`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from retrieval.core.facets import figure_of
from retrieval.core.filters import Filter, combine

_TERM: Final = re.compile(
    r"(?<![\w\"“])(?P<not>-)?(?P<field>[A-Za-z_]\w{0,63})(?P<sign>:|>=|<=|>|<|=)"
    r"(?:\"(?P<quoted>[^\"\n]{1,200})\"|(?P<plain>[^\s\"“”,;?!]{1,200}))"
)
_RANGE: Final = re.compile(r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")
_SIGNS: Final = {">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}


@dataclass(frozen=True)
class WrittenQuestion:
    """A question without the filters in it, and these as one canonical filter; None if there are none."""

    text: str
    where: Filter | None


def read_written_filters(question: str, declared: Mapping[str, str]) -> WrittenQuestion:
    """Take the filters on declared fields out of a question; anything else stays text, word for word.

    Args:
        question: as written.
        declared: field to value type: string, int, float or list.

    >>> read_written_filters("gating year>=2010 -tags:review in C:/x", {"year": "int", "tags": "list"}).where
    {'$and': [{'year': {'$gte': 2010}}, {'tags': {'$ne': 'review'}}]}
    """
    clauses: list[Filter] = []
    taken: list[tuple[int, int]] = []
    for found in _TERM.finditer(question):
        read = _clauses(found, declared)
        if read:
            clauses += read
            taken.append(found.span())
    rest, position = [], 0
    for start, end in [*taken, (len(question), len(question))]:
        rest.append(question[position:start])
        position = end
    text = " ".join("".join(rest).split()) if taken else question
    return WrittenQuestion(text, combine(clauses))


def _clauses(found: re.Match[str], declared: Mapping[str, str]) -> list[Filter]:
    """Return the clauses of a term; none if it is no filter: the field is not declared, or the value is not of its type."""
    field, sign = found["field"], found["sign"]
    value_type = declared.get(field)
    written = found["quoted"] or found["plain"].rstrip(".)")
    if value_type is None or not written:
        return []
    if value_type in {"int", "float"}:
        return _of_number(field, sign, written, negative=bool(found["not"]))
    if sign in _SIGNS:
        return []
    if found["not"]:
        return [{field: {"$ne": written}}]
    return [{field: {"$contains" if value_type == "list" else "$eq": written}}]


def _of_number(field: str, sign: str, written: str, *, negative: bool) -> list[Filter]:
    bounds = _RANGE.fullmatch(written)
    if bounds and not negative and sign in {":", "="}:
        low, high = (figure_of(bound) for bound in bounds.groups())
        return [{field: {"$gte": low}}, {field: {"$lte": high}}] if low is not None and high is not None else []
    figure = figure_of(written)
    if figure is None or (negative and sign in _SIGNS):
        return []
    return [{field: {_SIGNS.get(sign, "$ne" if negative else "$eq"): figure}}]
