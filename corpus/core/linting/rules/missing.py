"""The fields that every citation needs are there."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject
from corpus.core.metadata_map import CORE_FIELDS

CODE = "missing"
NEEDED = frozenset({"authors", "title", "year"})


def check(subject: Subject) -> Iterator[Finding]:
    """Report each core field without a value."""
    for field in CORE_FIELDS:
        if subject.values.get(field) in (None, "", [], {}):
            yield Finding(CODE, "warning" if field in NEEDED else "info", field, f"There is no {field}.")
