"""The entry is one file's entry, not the older form keyed by headings or a flat list of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corpus.core.linting.finding import Finding, Subject
from corpus.core.metadata_map import DEFAULT

CODE = "structure"


def check(subject: Subject) -> Iterator[Finding]:
    """Report an entry that is no object of entries."""
    entries = subject.entries
    flat = isinstance(entries, Mapping) and any(not isinstance(value, Mapping) for value in entries.values())
    if not isinstance(entries, Mapping) or flat:
        message = f"This is no entry of a file: it must hold {DEFAULT} and heading chains, each an object of values."
        yield Finding(CODE, "error", "", message)
