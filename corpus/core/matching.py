"""Is a registrar's record the record of this document? Decided by title, first author and year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from corpus.core.names import PersonName, same_family
from corpus.core.text import fold, words_of

TITLES_AGREE = 0.82
TITLES_ALIKE = 0.94
LONGEST_COMPARED = 400
SHORT_TITLE = 20


@dataclass(frozen=True)
class DocumentFacts:
    """What a document says of itself.

    Attributes:
        titles: what may be its title, best first.
        authors: what may be its authors.
        years: the years that may be its own.
        opening: the text of its first page (or two): a title or a name that stands there counts as said.
    """

    titles: tuple[str, ...] = ()
    authors: tuple[PersonName, ...] = ()
    years: tuple[int, ...] = ()
    opening: str = ""


@dataclass(frozen=True)
class Agreement:
    """Whether a record and a document are one work, how like their titles are (0 to 1), and what speaks against it."""

    agrees: bool
    title_similarity: float
    reason: str = ""


def agreement(title: str, authors: Sequence[PersonName], year: int | None, *, document: DocumentFacts) -> Agreement:
    """Compare a record with a document: the titles must agree, and the first author or the year.

    Case, diacritics, punctuation and broken words don't count; a subtitle may be missing on one side.

    >>> facts = DocumentFacts(titles=("Deep nets in the wild",), opening="Deep nets in the wild. Ann Smith, 2019")
    >>> agreement("Shallow ponds of Norway", (), 2019, document=facts).agrees
    False
    """
    likeness = max((title_similarity(title, own) for own in document.titles), default=0.0)
    if likeness < TITLES_AGREE and stands_in(title, document.opening):
        likeness = 1.0
    if likeness < TITLES_AGREE:
        return Agreement(agrees=False, title_similarity=likeness, reason=_title_reason(title, document))
    author, when = _author_agrees(authors, document), _year_agrees(year, document)
    if author or when:
        return Agreement(agrees=True, title_similarity=likeness)
    if author is None and when is None and likeness >= TITLES_ALIKE and len(words_of(title)) > 4:
        return Agreement(agrees=True, title_similarity=likeness)
    return Agreement(
        agrees=False, title_similarity=likeness, reason="The titles agree, but neither the first author nor the year does."
    )


def title_similarity(one: str, other: str) -> float:
    """Return how like two titles are, 0 to 1, whatever their case, diacritics, punctuation, broken words and subtitle.

    >>> title_similarity("The CA1 neuron: a model", "THE CA1 NEURON – A MODEL")
    1.0
    """
    first, second = words_of(one[:LONGEST_COMPARED]), words_of(other[:LONGEST_COMPARED])
    if not first or not second:
        return 0.0
    if _is_main_title(one, second) or _is_main_title(other, first):
        return 0.95
    return SequenceMatcher(None, "".join(first), "".join(second), autojunk=False).ratio()


def stands_in(title: str, opening: str) -> bool:
    """Tell whether a title stands in a text; line breaks and hyphens don't count. A short one must be a line of its own."""
    wanted = "".join(words_of(title))
    if len(wanted) >= SHORT_TITLE:
        return wanted in "".join(words_of(opening))
    return bool(wanted) and any("".join(words_of(line)) == wanted for line in opening.splitlines())


def _is_main_title(one: str, words: list[str]) -> bool:
    """Tell whether the other title is this one's part before the colon, and long enough to be a title of its own."""
    main = words_of(_before_subtitle(one))
    return len(main) >= 4 and main == words


def _before_subtitle(title: str) -> str:
    for mark in (": ", " - ", " – ", " — ", "? ", ". "):
        if mark in title:
            return title.split(mark, 1)[0]
    return title


def _author_agrees(authors: Sequence[PersonName], document: DocumentFacts) -> bool | None:
    """True when the first author is the document's; None when one side names nobody."""
    if not authors or not (authors[0].family or authors[0].literal):
        return None
    first = authors[0]
    if any(same_family(first, own) for own in document.authors[:3]):
        return True
    if not document.opening:
        return False if document.authors else None
    wanted = " ".join(words_of(first.full_family))
    return bool(wanted) and f" {wanted} " in f" {' '.join(words_of(document.opening))} "


def _year_agrees(year: int | None, document: DocumentFacts) -> bool | None:
    """True when the years are at most one apart (online first, then print); None when one side has none."""
    if year is None or not document.years:
        return None
    return any(abs(year - own) <= 1 for own in document.years)


def _title_reason(title: str, document: DocumentFacts) -> str:
    own = document.titles[0] if document.titles else ""
    shown = f"“{own}”" if fold(own) else "unknown"
    return f"The record is of “{title}”; the document's title is {shown}."
