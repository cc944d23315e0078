"""A document was published before it came in."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "year_after_retrieval"


def check(subject: Subject) -> Iterator[Finding]:
    """Report a year that lies after the one in which the file came in (the next one may be an issue in press)."""
    year, retrieved = subject.values.get("year"), subject.retrieved_year
    if isinstance(year, int) and retrieved is not None and retrieved + 1 < year <= subject.current_year + 2:
        yield Finding(CODE, "warning", "year", f"The file came in {retrieved}, before it was published ({year}).")
