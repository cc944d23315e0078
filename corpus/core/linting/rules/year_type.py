"""The year is a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "year_type"


def check(subject: Subject) -> Iterator[Finding]:
    """Report a year that is no integer; digits written as text can be put right."""
    year = subject.values.get("year")
    if year in (None, "") or (isinstance(year, int) and not isinstance(year, bool)):
        return
    found = re.fullmatch(r"\s*(\d{4})(?:\.0)?\s*", str(year))
    fix = {"year": int(found[1])} if found else None
    yield Finding(CODE, "warning", "year", f"The year must be a number, not {year!r}; filters compare numbers.", fix)
