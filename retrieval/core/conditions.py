"""Conditions on metadata as RAGFlow and Dify write them, brought into Klea's language of filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from retrieval.core.facets import figure_of
from retrieval.core.filters import Filter, FilterError, canonical

Logic = Literal["and", "or"]
Op = Literal[
    "eq", "ne", "gt", "ge", "lt", "le", "in", "not_in", "contains", "not_contains", "starts", "ends", "empty", "not_empty",
    "before", "after",
]  # fmt: skip

OPERATORS: Final[dict[str, Op]] = {
    "=": "eq", "==": "eq", "is": "eq", "≠": "ne", "!=": "ne", "<>": "ne", "is not": "ne", "not is": "ne",
    ">": "gt", "≥": "ge", ">=": "ge", "<": "lt", "≤": "le", "<=": "le", "in": "in", "not in": "not_in",
    "contains": "contains", "not contains": "not_contains", "start with": "starts", "end with": "ends",
    "empty": "empty", "not empty": "not_empty", "before": "before", "after": "after",
}  # fmt: skip
"""The names that come from outside, in any case."""

_NEEDS_NO_VALUE: Final = frozenset({"empty", "not_empty"})
_OURS: Final[dict[str, str]] = {
    "eq": "$eq", "ne": "$ne", "gt": "$gt", "ge": "$gte", "lt": "$lt", "le": "$lte", "before": "$lt", "after": "$gt",
    "contains": "$has", "not_contains": "$lacks", "starts": "$starts", "ends": "$ends",
}  # fmt: skip
_OF_TEXT: Final = frozenset({"contains", "not_contains", "starts", "ends"})


class ConditionError(FilterError):
    """A condition can't be understood; `code` says in one word why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Condition:
    """A comparison of one metadata key."""

    key: str
    op: Op
    value: Any = None


@dataclass(frozen=True)
class AnyOf:
    """Conditions of which one must hold."""

    conditions: tuple[Condition, ...]


def read_conditions(given: Mapping[str, Any] | None) -> tuple[Condition | AnyOf, ...]:
    """Read a condition object: `{"conditions": [{"name", "comparison_operator", "value"}]}`; null or none means no filter.

    Raises:
        ConditionError: a condition is of another form; the message says what is allowed.

    >>> read_conditions({"conditions": [{"name": "shelf", "comparison_operator": "is not", "value": "x"}]})
    (Condition(key='shelf', op='ne', value='x'),)
    """
    listed = (given or {}).get("conditions") or []
    if not isinstance(listed, list):
        raise ConditionError("malformed", "conditions is a list of objects.")
    return tuple(_read(one) for one in listed)


def logic_of(given: Mapping[str, Any]) -> Logic:
    """Read how conditions are joined: RAGFlow's `logic` or Dify's `logical_operator`; "and" if there is neither.

    Raises:
        ConditionError: another word, or two that contradict each other.
    """
    words = {str(given[name]).strip().lower() for name in ("logic", "logical_operator") if given.get(name)}
    if len(words) > 1:
        raise ConditionError("logic_conflict", "logic and logical_operator contradict each other; give one of them.")
    word = next(iter(words), "and")
    if word not in {"and", "or"}:
        raise ConditionError("unknown_logic", f"{word} joins no conditions. Allowed: and, or.")
    return "or" if word == "or" else "and"


def items_of(text: str) -> list[str]:
    """Return the items of a list that is written as text, separated by commas.

    >>> items_of(" A , B ,, C ")
    ['A', 'B', 'C']
    """
    return [item for part in text.split(",") if (item := part.strip())]


def as_filter(conditions: Sequence[Condition | AnyOf], logic: Logic = "and") -> Filter | None:
    """Write conditions as a canonical filter; None if there are none.

    >>> as_filter([Condition("year", "gt", "2019"), Condition("tag", "not_in", "a, b")])
    {'$and': [{'year': {'$gt': 2019}}, {'tag': {'$nin': ['a', 'b']}}]}
    """
    if not conditions:
        return None
    return canonical({f"${logic}": [_clause(one) for one in conditions]})


def _read(given: object) -> Condition | AnyOf:
    if not isinstance(given, Mapping):
        raise ConditionError("malformed", "A condition is an object with name, comparison_operator and value.")
    names = given.get("name", given.get("key"))
    keys = [name for name in (names if isinstance(names, list) else [names]) if isinstance(name, str) and name.strip()]
    if not keys:
        raise ConditionError("name_required", "A condition names the metadata key that it compares.")
    op = _operator(given.get("comparison_operator", given.get("operator", given.get("op"))))
    value = given.get("value")
    if value is None and op not in _NEEDS_NO_VALUE:
        raise ConditionError("value_required", f"{keys[0]}: {op} needs a value. Only empty and not empty need none.")
    conditions = tuple(Condition(key.strip(), op, value) for key in keys)
    return conditions[0] if len(conditions) == 1 else AnyOf(conditions)


def _operator(given: object) -> Op:
    name = " ".join(str(given).split()).lower()
    if name not in OPERATORS:
        raise ConditionError("unknown_operator", f"{given} is no operator. Allowed: {', '.join(OPERATORS)}.")
    return OPERATORS[name]


def _clause(condition: Condition | AnyOf) -> Filter:
    if isinstance(condition, AnyOf):
        return canonical({"$or": [_clause(one) for one in condition.conditions]})
    if condition.op in _NEEDS_NO_VALUE:
        return {condition.key: {"$exists": condition.op == "not_empty"}}
    if condition.op in {"in", "not_in"}:
        return {condition.key: {"$in" if condition.op == "in" else "$nin": _operands(condition.value)}}
    return canonical({condition.key: {_OURS[condition.op]: _operand(condition)}})


def _operands(value: Any) -> list[Any]:
    parts = value if isinstance(value, list) else items_of(value) if isinstance(value, str) else [value]
    return [_number_or_text(part) for part in parts]


def _operand(condition: Condition) -> Any:
    value = condition.value
    if not isinstance(value, str | int | float | bool):
        raise ConditionError("value_type", f"{condition.key}: {condition.op} compares with a text or a number.")
    if condition.op in _OF_TEXT:
        return str(value)
    return _number_or_text(value)


def _number_or_text(value: Any) -> Any:
    figure = figure_of(value) if isinstance(value, str) else None
    return value if figure is None else figure
