"""What labels in a text say: keywords, authors, DOI, address."""

from __future__ import annotations

import re
from typing import Any, Final

from corpus.core.identifiers import find_dois

LIMIT: Final = 3000

_KEYWORDS = re.compile(
    r"^[ \t]*(?:key[- ]?words?(?:[ \t]+and[ \t]+phrases)?|key[ \t]+terms|index[ \t]+terms)[ \t]*[:—–.-][ \t]*(?P<value>\S[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_AUTHORS = re.compile(r"^[ \t]*authors?(?:\(s\))?[ \t]*:[ \t]*(?P<value>[^\n]{3,500})", re.IGNORECASE | re.MULTILINE)
_BY = re.compile(r"^[ \t]*by[ \t]*:[ \t]*(?P<value>[^\n]{3,500})", re.IGNORECASE | re.MULTILINE)
_URL = re.compile(
    r"^[ \t]*(?:url|website|homepage|webpage)[ \t]*:[ \t]*(?P<value>(?:https?://|www\.)\S+)", re.IGNORECASE | re.MULTILINE
)
_PUBLISHED = re.compile(
    r"(?:©|\(c\)|copyright|published(?:\s+online)?|accepted|available online|first published|date)\s*:?[^\n]{0,40}?"
    r"\b((?:19|20)\d{2})\b",
    re.IGNORECASE,
)
_JOURNAL_YEAR = re.compile(
    r"\b(?:vol(?:ume)?\.?\s*\d+|\d+\s*\(\d+\))[^\n]{0,40}?\b((?:19|20)\d{2})\b|\(((?:19|20)\d{2})\)\s*\d+", re.IGNORECASE
)
_ANY_YEAR = re.compile(r"(?<![\d.-])((?:19|20)\d{2})(?!\d|[.-]\d)")


def labelled_values(text: str, *, limit: int = LIMIT) -> dict[str, Any]:
    """Return what labels in the beginning of a text say, only fields with a value.

    A label stands at the start of a line and has a colon ("By:" too, so that prose never matches). A DOI with a label beats one
    without.

    >>> labelled_values("Key words: alpha, beta")
    {'keywords': ['alpha', 'beta']}
    """
    beginning = text[:limit]
    authors = _AUTHORS.search(beginning) or _BY.search(beginning)
    keywords, url = _KEYWORDS.search(beginning), _URL.search(beginning)
    found = {
        "keywords": _terms(keywords["value"]) if keywords else [],
        "authors": _people(authors["value"]) if authors else [],
        "doi": _best_doi(beginning),
        "url": url["value"].rstrip(".,;)") if url else "",
    }
    return {field: value for field, value in found.items() if value}


def years_said(text: str) -> tuple[int, ...]:
    """Return the years that a first page says it is of, in order: beside ©, "published" or "accepted", or with a volume."""
    said = [int(year) for year in _PUBLISHED.findall(text)]
    said += [int(next(filter(None, pair))) for pair in _JOURNAL_YEAR.findall(text)]
    return tuple(dict.fromkeys(said))


def years_mentioned(text: str) -> tuple[int, ...]:
    """Return every year that stands in a text, in order, each once."""
    return tuple(dict.fromkeys(int(year) for year in _ANY_YEAR.findall(text)))


def _best_doi(text: str) -> str:
    found = find_dois(text)
    return next((entry.value for entry in found if entry.labelled), found[0].value if found else "")


def _terms(text: str) -> list[str]:
    return [term.strip().rstrip(".") for term in re.split(r"[,;•·]", text) if term.strip(" .")]


def _people(text: str) -> list[str]:
    return [name.strip().rstrip(".") for name in re.split(r"[,;]|\s+and\s+|\s+&\s+", text) if name.strip(" .")]
