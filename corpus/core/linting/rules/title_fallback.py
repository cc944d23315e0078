"""The title is a title, not a placeholder of a program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "title_fallback"
PLACEHOLDERS = frozenset(
    {"untitled", "untitled document", "no title", "unknown", "title", "document", "none", "null", "n/a", "paper"}
)
_PROGRAM = re.compile(
    r"^microsoft word\s*-|^powerpoint presentation$|^layout \d|^untitled-?\d+$|\.(?:docx?|indd|dvi|tex|qxd|pdf)$"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Report a placeholder where the title should stand."""
    title = subject.text("title").casefold()
    if title in PLACEHOLDERS or _PROGRAM.search(title):
        yield Finding(CODE, "error", "title", "This is a placeholder, not the title of the document.")
