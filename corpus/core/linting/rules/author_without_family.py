"""Each author has a family name."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject
from corpus.core.names import parse_name

CODE = "author_without_family"


def check(subject: Subject) -> Iterator[Finding]:
    """Report an author of initials only, or one whose family name is a single letter."""
    for author in subject.texts("authors"):
        name = parse_name(author)
        letters = [sign for sign in name.family if sign.isalpha()]
        if not name.literal and len(letters) < 2 and not any(sign > "\u2e80" for sign in letters):
            yield Finding(CODE, "warning", "authors", f"“{author}” has no family name.")
