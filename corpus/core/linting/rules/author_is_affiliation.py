"""Authors are people or groups, not where they work."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "author_is_affiliation"
_PLACE = re.compile(
    r"\b(?:universit\w+|universidad|université|institut\w*|department|dept|faculty|school|hospital|college|laborator\w+|academy|"
    r"division|campus|street|avenue|box)\b|@|\b\d{4,}\b|\bUSA?\b|\bUK\b|\bGermany\b|\bChina\b",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:consortium|collaboration|group|network|team|committee|initiative|investigators|society)\b", re.IGNORECASE
)


def check(subject: Subject) -> Iterator[Finding]:
    """Report each author that reads like an address."""
    authors = subject.texts("authors")
    places = [author for author in authors if _PLACE.search(author) and not _GROUP.search(author)]
    if places:
        rest = [author for author in authors if author not in places]
        message = f"{'; '.join(places)}: this is where somebody works, not an author."
        yield Finding(CODE, "warning", "authors", message, {"authors": rest} if rest else None)
