"""The journal's name is written in full."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "journal_abbreviation"
_SHORT = re.compile(
    r"\b[^\W\d_]{1,9}\.(?:\s|$)|^J\s|\b(?:Proc|Natl|Acad|Sci|Biol|Chem|Phys|Neurosci|Int|Ann|Rev|Lett|Trans|Appl|Comput|Exp)\b(?!\w)"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Report an abbreviated journal."""
    journal = subject.text("journal")
    if _SHORT.search(journal):
        yield Finding(CODE, "info", "journal", f"“{journal}” is an abbreviation; filters find the full name only.")
