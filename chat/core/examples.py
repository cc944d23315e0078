"""Questions that a newcomer can ask at once: those that a domain names, else some made from the titles of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST = 16
LONGEST_TITLE = 90


@dataclass(frozen=True)
class Offering:
    """A domain with what examples can be made from.

    Attributes:
        stated: the domain's own example questions, one a line.
        titles: of documents that can be asked.
    """

    slug: str
    name: str
    stated: str = ""
    titles: Sequence[str] = ()


@dataclass(frozen=True)
class Example:
    """A question and the domain that it belongs to."""

    question: str
    domain: str
    name: str


def examples_for(offerings: Sequence[Offering], *, most: int = MOST) -> list[Example]:
    r"""Return up to `most` questions, taken in turn from the domains.

    >>> papers = Offering("p", "Papers", titles=["On rain"])
    >>> [example.question for example in examples_for([Offering("m", "Manual", "How do I start?\n\nWhy?"), papers])]
    ['How do I start?', 'What are the main points of “On rain”?', 'Why?']
    """
    columns = [(offering, _questions(offering)) for offering in offerings]
    longest = max((len(questions) for _, questions in columns), default=0)
    found = {
        questions[row]: Example(questions[row], offering.slug, offering.name)
        for row in range(longest)
        for offering, questions in columns
        if row < len(questions)
    }
    return list(found.values())[:most]


def _questions(offering: Offering) -> list[str]:
    stated = [line.strip() for line in offering.stated.splitlines() if line.strip()]
    titles = (title.strip() for title in offering.titles)
    return stated or [f"What are the main points of “{title}”?" for title in titles if 0 < len(title) <= LONGEST_TITLE]
