"""The title is written as titles are: neither all in capitals nor without any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "title_case"
_WORD = re.compile(r"[^\W\d_]+")


def check(subject: Subject) -> Iterator[Finding]:
    """Report a title in capitals, and one that has no capital at all."""
    title = subject.text("title")
    words = [word for word in _WORD.findall(title) if word.lower() != word.upper()]
    if len(words) < 3:
        return
    if all(word.isupper() for word in words):
        yield Finding(CODE, "warning", "title", f"The title is all in capitals; perhaps “{sentence_case(title)}”.")
    elif all(word.islower() for word in words):
        fixed = title[: title.index(words[0])] + words[0].capitalize() + title[title.index(words[0]) + len(words[0]) :]
        yield Finding(CODE, "info", "title", "The title has no capital letter.", {"title": fixed})


def sentence_case(title: str) -> str:
    """Write a shouted title in small letters; the first word, and each after a colon or full stop, begins with a capital.

    >>> sentence_case("THE CA1 NEURON: A MODEL")
    'The CA1 neuron: A model'
    """
    small = " ".join(word if re.search(r"\d", word) else word.lower() for word in title.split(" "))
    return re.sub(r"(^|[:.?!]\s+)([^\W\d_])", lambda found: found[1] + found[2].upper(), small)
