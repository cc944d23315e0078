"""The list of authors is complete."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "author_et_al"
_AND_OTHERS = re.compile(r"[\s,;&]*\b(?:et\s+al|and\s+others|u\.\s?a)\b\.?\s*$|^others$", re.IGNORECASE)


def check(subject: Subject) -> Iterator[Finding]:
    """Report "et al." in a list of authors."""
    authors = subject.texts("authors")
    cut = [_AND_OTHERS.sub("", author) for author in authors]
    if cut != authors:
        fix = {"authors": [author for author in cut if author]}
        yield Finding(CODE, "warning", "authors", "“et al.” stands for authors that are missing.", fix)
