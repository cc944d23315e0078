"""Questions that a newcomer can ask at once, made from the titles of what is in the library."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 4
LONGEST_TITLE = 70


def questions_for(titles_by_domain: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return up to four questions, taken in turn from the domains.

    >>> questions_for([("Manual", ["Adding documents"]), ("Papers", ["On rain", ""])])
    ['What does “Adding documents” say?', 'What does “On rain” say?']
    """
    columns = [[title.strip() for title in titles if 0 < len(title.strip()) <= LONGEST_TITLE] for _, titles in titles_by_domain]
    found: list[str] = []
    for row in range(max((len(column) for column in columns), default=0)):
        found += [f"What does “{column[row]}” say?" for column in columns if row < len(column)]
    return list(dict.fromkeys(found))[:MOST]
