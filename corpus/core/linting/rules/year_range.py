"""The year can be a year of publication."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "year_range"
FIRST = 1800
AHEAD = 2


def check(subject: Subject) -> Iterator[Finding]:
    """Report a year before 1800 or more than two years ahead."""
    year = subject.values.get("year")
    last = subject.current_year + AHEAD
    if isinstance(year, int) and not isinstance(year, bool) and not FIRST <= year <= last:
        yield Finding(CODE, "error", "year", f"{year} can't be the year of publication: it lies outside {FIRST} to {last}.")
