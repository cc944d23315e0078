"""One work is held once."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.identifiers import doi_key
from corpus.core.linting.finding import Finding, Other, Subject
from corpus.core.text import words_of

CODE = "duplicate"


def check(subject: Subject) -> Iterator[Finding]:
    """Report another file with the same DOI, or with the same title and year."""
    doi, title = doi_key(subject.text("doi")), words_of(subject.text("title"))
    for other in subject.others:
        if other.file_name == subject.file_name:
            continue
        if doi and doi_key(other.doi) == doi:
            yield Finding(CODE, "warning", "doi", f"{other.file_name} has the same DOI.")
        elif len(title) > 3 and words_of(other.title) == title and _same_year(subject, other):
            yield Finding(CODE, "warning", "title", f"{other.file_name} has the same title and year.")


def _same_year(subject: Subject, other: Other) -> bool:
    year = subject.values.get("year")
    return year is None or other.year is None or year == other.year
