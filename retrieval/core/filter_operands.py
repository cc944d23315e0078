"""What a query generator or a person states about declared fields, brought to canonical clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.core.filters import Filter, FilterError, canonical, combine, fields_of


def clauses_of(stated: Mapping[str, Any], declared: Mapping[str, str]) -> tuple[list[Filter], list[str]]:
    """Turn operands by field into canonical clauses, in the order given.

    A bare value means equality, of a list field membership; several values mean any of them, of a list field all of them.

    Args:
        stated: field to value, list of values, or operators.
        declared: field to value type: string, int, float or list.

    Returns:
        The clauses, and the fields that were left out because they are undeclared or empty.

    Raises:
        FilterError: an operator or operand is not allowed.

    >>> clauses_of({"tags": ["moose", "ca1"]}, {"tags": "list"})[0]
    [{'$and': [{'tags': {'$contains': 'moose'}}, {'tags': {'$contains': 'ca1'}}]}]
    """
    clauses: list[Filter] = []
    dropped: list[str] = []
    for field, given in stated.items():
        if field not in declared or given is None or given in ([], {}, ""):
            dropped.append(field)
        else:
            clauses.append(_clause(field, given, declared[field]))
    return clauses, dropped


def normalise(stated: Mapping[str, Any], declared: Mapping[str, str]) -> Filter | None:
    """Turn operands by field, or a whole filter, into one canonical filter of declared fields; None if nothing is left.

    Raises:
        FilterError: an operator or operand is not allowed.
    """
    if any(key.startswith("$") for key in stated):
        where = canonical(stated)
        return where if fields_of(where) <= frozenset(declared) else None
    return combine(clauses_of(stated, declared)[0])


def check(where: Filter | None, declared: Mapping[str, str]) -> None:
    """Pass if every field is declared and every operand is of its type.

    Raises:
        FilterError: not so; the message lists what is allowed.
    """
    unknown = sorted(fields_of(where) - frozenset(declared))
    if unknown:
        allowed = [f"{name} ({kind})" for name, kind in sorted(declared.items())]
        raise FilterError(f"Unknown filter field: {', '.join(unknown)}. Allowed: {', '.join(allowed) or 'none'}.", allowed)
    for field, operator, given in _comparisons(where):
        _check_operand(field, operator, given, declared[field])


def _clause(field: str, given: Any, value_type: str) -> Filter:
    if isinstance(given, Mapping):
        return canonical({field: given})
    if value_type == "list":
        values = given if isinstance(given, list) else [given]
        return canonical({"$and": [{field: {"$contains": value}} for value in values]})
    return canonical({field: {"$in": given} if isinstance(given, list) else given})


def _comparisons(where: Filter | None) -> list[tuple[str, str, Any]]:
    if where is None:
        return []
    ((key, value),) = where.items()
    if key in {"$and", "$or"}:
        return [found for part in value for found in _comparisons(part)]
    return [(key, operator, given) for operator, given in value.items()]


def _check_operand(field: str, operator: str, given: Any, value_type: str) -> None:
    if operator == "$exists":
        return
    values = given if isinstance(given, list) else [given]
    wants_number = value_type in {"int", "float"}
    for value in values:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if wants_number != is_number:
            wanted = "a number" if wants_number else "a text"
            raise FilterError(f"{field}: {operator} compares with {wanted}, since the field is declared as {value_type}.")
