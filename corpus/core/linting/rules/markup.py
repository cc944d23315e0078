"""Fields are text, not HTML or JATS."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from corpus.core.linting.finding import Finding, Subject

CODE = "markup"
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>")
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,6});", re.IGNORECASE)


def check(subject: Subject) -> Iterator[Finding]:
    """Report fields with tags or entities, with the plain text that is meant."""
    for field, value in subject.values.items():
        fixed = _plain(value)
        if fixed != value and not field.startswith(("url", "_", "doi")):
            yield Finding(CODE, "warning", field, f"There is HTML in {field}.", {field: fixed})


def _plain(value: Any) -> Any:  # whatever a map holds
    if isinstance(value, str):
        if not _TAG.search(value) and not _ENTITY.search(value):
            return value
        return " ".join(html.unescape(html.unescape(_TAG.sub("", value))).split())
    return [_plain(part) for part in value] if isinstance(value, list) else value
