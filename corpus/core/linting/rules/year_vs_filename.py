"""The year is the one in the file's name, where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject
from corpus.core.linting.rules.year_range import AHEAD, FIRST

CODE = "year_vs_filename"
_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")


def check(subject: Subject) -> Iterator[Finding]:
    """Report a year that differs from the first plausible one in the file's name."""
    year = subject.values.get("year")
    named = [int(digits) for digits in _FOUR_DIGITS.findall(subject.stem)]
    plausible = [number for number in named if FIRST <= number <= subject.current_year + AHEAD]
    if isinstance(year, int) and plausible and year != plausible[0]:
        yield Finding(CODE, "warning", "year", f"The file's name says {plausible[0]}, the year is {year}.")
