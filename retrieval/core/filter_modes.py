"""Who decides on a filter: nobody, a person, or a model within what a person allows."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from retrieval.core.conditions import AnyOf, Condition, ConditionError, Logic, as_filter, logic_of, read_conditions
from retrieval.core.filters import Filter

METHODS: Final = ("disabled", "manual", "semi_auto", "auto")
_VARIABLE: Final = re.compile(r"\{\{\s*([\w.@-]{1,100})\s*\}\}")


@dataclass(frozen=True)
class FilterMode:
    """A stored choice of how filters come about.

    Attributes:
        conditions: of the manual method.
        keys: what a model may see and compare, None: every key in use. Empty: nothing, so no model is asked.
        operators: operators that a person fixed, by key.
        relaxes: search without the filter, and say so, when nothing passes it.
    """

    method: str = "disabled"
    conditions: tuple[Condition | AnyOf, ...] = ()
    logic: Logic = "and"
    keys: tuple[str, ...] | None = ()
    operators: Mapping[str, str] | None = None
    relaxes: bool = False

    @property
    def asks_model(self) -> bool:
        """Whether a model is asked for conditions."""
        return self.method == "auto" or (self.method == "semi_auto" and bool(self.keys))


@dataclass(frozen=True)
class Chosen:
    """The filter that a mode gives, and what the reader should be told: codes of what was changed on the way."""

    where: Filter | None
    notices: tuple[str, ...] = ()
    relaxes: bool = False


def read_mode(
    given: Mapping[str, Any] | None, *, in_use: Collection[str], on_no_match: str = ""
) -> tuple[FilterMode, tuple[str, ...]]:
    """Read a stored choice; none, an empty one and "disabled" mean no filter.

    Args:
        given: with `method`, `manual`, `semi_auto`, `logic`, `variables`.
        in_use: keys that documents have.
        on_no_match: "relax" or "empty"; by default a filter of a model is relaxed, one of a person is not.

    Returns:
        The mode and codes of notices.

    Raises:
        ConditionError: the method, an operator or the logic is unknown, or a variable has no value.
    """
    method = str((given or {}).get("method") or "disabled")
    if method not in METHODS:
        raise ConditionError("unknown_method", f"{method} is no way to filter. Allowed: {', '.join(METHODS)}.")
    if given is None or method == "disabled":
        return FilterMode(), ()
    relaxes = (on_no_match or ("empty" if method == "manual" else "relax")) == "relax"
    logic = logic_of(given)
    if method == "manual":
        conditions = _filled(given.get("manual") or [], given.get("variables") or {})
        return FilterMode("manual", read_conditions({"conditions": conditions}), logic, (), None, relaxes), ()
    if method == "auto":
        return FilterMode("auto", (), logic, None, {}, relaxes), ()
    selected = [one if isinstance(one, Mapping) else {"key": one} for one in given.get("semi_auto") or []]
    keys = tuple(sorted(str(one["key"]) for one in selected if one.get("key") in in_use))
    operators = {str(one["key"]): str(one["op"]) for one in selected if one.get("op")}
    notices = ("no_selected_key_in_use",) if selected and not keys else ()
    return FilterMode("semi_auto", (), logic, keys, operators, relaxes), notices


def chosen(mode: FilterMode, proposed: object = None) -> Chosen:
    """Return the filter of a mode; a model's proposal counts only as far as the mode allows.

    Args:
        mode: as read.
        proposed: what the model answered: conditions, an object with them, or text that should be JSON.
    """
    if mode.method == "manual":
        return Chosen(as_filter(mode.conditions, mode.logic), relaxes=mode.relaxes)
    if not mode.asks_model:
        return Chosen(None, relaxes=mode.relaxes)
    try:
        given = _object_of(proposed)
        conditions, logic = read_conditions(given), logic_of(given)
    except (ConditionError, ValueError):
        return Chosen(None, ("filter_unusable",), mode.relaxes)
    kept, notices = _allowed([one for one in conditions if isinstance(one, Condition)], mode)
    return Chosen(as_filter(kept, logic), notices, mode.relaxes)


def _allowed(conditions: Sequence[Condition], mode: FilterMode) -> tuple[list[Condition], tuple[str, ...]]:
    kept: list[Condition] = []
    notices: dict[str, None] = {}
    for condition in conditions:
        if mode.keys is not None and condition.key not in mode.keys:
            notices["condition_dropped"] = None
            continue
        fixed = (mode.operators or {}).get(condition.key)
        wanted = condition if fixed is None else replace(condition, op=_fixed(fixed))
        if wanted != condition:
            notices["operator_corrected"] = None
        kept.append(wanted)
    return kept, tuple(notices)


def _fixed(operator: str) -> Any:
    (condition,) = read_conditions({"conditions": [{"key": "any", "op": operator, "value": ""}]})
    return condition.op if isinstance(condition, Condition) else operator


def _object_of(proposed: object) -> Mapping[str, Any]:
    read = json.loads(proposed) if isinstance(proposed, str) else proposed
    if isinstance(read, Mapping):
        return read
    if isinstance(read, list) or read is None:
        return {"conditions": read or []}
    raise ConditionError("malformed", "A proposal is an object with conditions.")


def _filled(conditions: Sequence[Any], variables: Mapping[str, Any]) -> list[Any]:
    """Put the values of variables in place of `{{name}}`, in copies."""
    return [
        {**one, "value": _value(one["value"], variables)}
        if isinstance(one, Mapping) and isinstance(one.get("value"), str)
        else one
        for one in conditions
    ]


def _value(text: str, variables: Mapping[str, Any]) -> Any:
    names = _VARIABLE.findall(text)
    missing = [name for name in names if variables.get(name) is None]
    if missing:
        raise ConditionError("variable_missing", f"The filter uses {{{{{missing[0]}}}}}, which has no value.")
    whole = _VARIABLE.fullmatch(text.strip())
    if whole:
        return variables[whole.group(1)]
    return _VARIABLE.sub(lambda found: str(variables[found.group(1)]), text)
