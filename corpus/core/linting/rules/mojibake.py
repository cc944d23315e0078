"""Letters are what they were before somebody read them in the wrong encoding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ftfy import fix_encoding

from corpus.core.linting.finding import Finding, Subject

CODE = "mojibake"


def check(subject: Subject) -> Iterator[Finding]:
    """Report fields such as "GarcÃ­a", with the letters that were meant."""
    for field, value in subject.values.items():
        fixed = _fixed(value)
        if fixed != value:
            yield Finding(CODE, "warning", field, f"Letters of {field} were read in a wrong encoding.", {field: fixed})
        elif isinstance(value, str) and "\ufffd" in value:
            yield Finding(CODE, "warning", field, f"Letters of {field} are lost (�).")


def _fixed(value: Any) -> Any:  # whatever a map holds
    if isinstance(value, str):
        return fix_encoding(value)
    return [_fixed(part) for part in value] if isinstance(value, list) else value
