"""The record behind the DOI is of this document."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject
from corpus.core.matching import TITLES_AGREE, title_similarity

CODE = "doi_disagrees"


def check(subject: Subject) -> Iterator[Finding]:
    """Report a DOI whose registered title is another than the document's."""
    title = subject.text("title")
    if not (title and subject.text("doi") and subject.registered_title):
        return
    if title_similarity(title, subject.registered_title) < TITLES_AGREE:
        message = f"The DOI belongs to “{subject.registered_title}”. Check whether the DOI is this document's own."
        yield Finding(CODE, "error", "doi", message)
