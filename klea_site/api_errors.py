"""What is wrong with a request, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

KINDS = {
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object",
    "model_type": "must be an object",
    "datetime_from_date_parsing": "must be a time such as 2027-01-31T12:00:00Z",
    "datetime_parsing": "must be a time such as 2027-01-31T12:00:00Z",
    "json_invalid": "is not JSON",
}
BOUNDS = {
    "greater_than": ("gt", "must be above {}"),
    "greater_than_equal": ("ge", "must be at least {}"),
    "less_than": ("lt", "must be below {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "string_too_long": ("max_length", "may have at most {} characters"),
    "string_too_short": ("min_length", "must have at least {} characters"),
    "too_long": ("max_length", "may have at most {} entries"),
    "too_short": ("min_length", "must have at least {} entries"),
}
PLACES = {"body", "query", "path", "payload", "header", "form"}


def in_plain_words(errors: Sequence[dict[str, Any]]) -> tuple[str, Any]:
    """Return what is wrong in sentences, and what is allowed where that can be listed.

    >>> in_plain_words([{"type": "missing", "loc": ("body", "payload", "question"), "msg": "Field required"}])
    ("'question' is missing.", None)
    """
    allowed = next((found for found in map(_allowed, errors) if found), None)
    return " ".join(_sentence(error) for error in errors[:5]), allowed


def _sentence(error: dict[str, Any]) -> str:
    name = ".".join(str(part) for part in error["loc"] if part not in PLACES) or "The body"
    quoted = name if name == "The body" else f"'{name}'"
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        return f"{quoted} is missing."
    if kind == "extra_forbidden":
        return f"{quoted} is not known."
    if kind in {"literal_error", "enum"}:
        return f"{quoted} must be one of {context.get('expected', '')}."
    if kind in BOUNDS:
        key, words = BOUNDS[kind]
        return f"{quoted} {words.format(context.get(key))}."
    return f"{quoted} {KINDS.get(kind) or 'is wrong: ' + str(error['msg'])}."


def _allowed(error: dict[str, Any]) -> Any:
    if error["type"] in {"literal_error", "enum"}:
        return str(error.get("ctx", {}).get("expected", ""))
    return None
