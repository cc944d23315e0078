"""The links are the document's own, not those of its reference list."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject
from corpus.core.metadata_map import is_url_key

CODE = "too_many_urls"
MOST = 5


def check(subject: Subject) -> Iterator[Finding]:
    """Report more than five links."""
    count = sum(is_url_key(key) for key in subject.values)
    if count > MOST:
        yield Finding(CODE, "warning", "url", f"{count} links are too many for one document: some come from its reference list.")
