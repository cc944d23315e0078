"""A question as keyword stores are asked: terms, neighbouring pairs, and the phrases that somebody put in quotes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from corpus.core.text import normalize_text
from retrieval.core.analysis import analyse, asking_words, pairs, terms_of_question

MOST_TERMS: Final = 256
LENGTH_WEIGHT: Final = 0.35
"""BM25's b of the keyword stores: how much a long passage is held against its matches."""

_QUOTED: Final = re.compile('["“”„«»]([^"“”„«»]+)["“”„«»]')


Phrase = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """What a keyword store ranks by.

    Attributes:
        terms: each term with its weight, at most `MOST_TERMS`.
        pairs: neighbouring terms; a passage that has them together is preferred.
        phrases: words in quotation marks, each a term and its place within the phrase; preferred too.
        phrases_required: only passages that hold every phrase; so if a question is nothing but phrases.
    """

    terms: tuple[tuple[str, float], ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    phrases: tuple[Phrase, ...] = ()
    phrases_required: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search by."""
        return not self.terms


def keyword_query(question: str, *, keywords: str = "", language: str = "english") -> KeywordQuery:
    """Read a question. Signs of query languages are plain text; only quotation marks around words mean something.

    Args:
        question: what is asked.
        keywords: further words to look for, for keyword stores only.
        language: of the store.

    >>> keyword_query('the "gating variable" of Cav3.1').phrases
    (((0, 'gate'), (1, 'variabl')),)
    """
    plain = normalize_text(question)
    counts = Counter([*terms_of_question(plain, language=language), *terms_of_question(keywords, language=language)])
    telling = [term for term in analyse(plain, language=language) if term.text not in asking_words(language)]
    phrases = (_phrase(quoted, language) for quoted in _QUOTED.findall(plain))
    return KeywordQuery(
        terms=tuple((term, float(count)) for term, count in counts.most_common(MOST_TERMS)),
        pairs=tuple(dict.fromkeys(pairs(telling)))[:MOST_TERMS],
        phrases=tuple(phrase for phrase in phrases if len(phrase) > 1),
        phrases_required=not terms_of_question(_QUOTED.sub(" ", plain), language=language),
    )


def _phrase(quoted: str, language: str) -> Phrase:
    """Return the plainest term at each place of a phrase: of a compound its parts, not the whole."""
    by_place: dict[int, str] = {}
    for term in analyse(quoted, language=language):
        by_place[term.position] = term.text
    first = min(by_place, default=0)
    return tuple((place - first, text) for place, text in sorted(by_place.items()))
