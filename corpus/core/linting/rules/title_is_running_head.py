"""The title is the title, not what stands at the edge of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject
from corpus.core.text import words_of

CODE = "title_is_running_head"
_LABEL = re.compile(
    r"^(?:research|original|review|short|brief|case|special|invited|feature)?[\s-]*"
    r"(?:article|paper|report|communication|letter|review|commentary|editorial|perspective)s?$|"
    r"^(?:abstract|introduction|contents?|table of contents|references|open access|accepted manuscript|author manuscript)$",
    re.IGNORECASE,
)
_VOLUME = re.compile(
    r"\b(?:vol(?:ume)?\.?|no\.?)\s*\d+|\(\d{4}\)\s*\d+\s*[:,(]?\s*\d*|\bpp?\.\s*\d+|\bet al\.?,?$", re.IGNORECASE
)


def check(subject: Subject) -> Iterator[Finding]:
    """Report a title that is a running head, a label of a kind of article, or a line with volume and pages."""
    title = subject.text("title")
    words = words_of(title)
    heads = [words_of(head) for head in subject.running_heads]
    if title and (_LABEL.match(title) or _VOLUME.search(title)):
        yield Finding(CODE, "error", "title", "This is a label or a running head, not the title.")
    elif words and len(words) < 8 and words in heads:
        yield Finding(CODE, "warning", "title", "The same words stand at the edge of several pages; the title may be longer.")
