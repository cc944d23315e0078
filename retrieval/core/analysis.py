"""Text as keyword stores see it: folded words, compounds whole and in parts, word stems, two-sign pieces of Chinese and its like.

Every keyword store gets the same terms, of passages and of questions. Who changes what comes out raises `VERSION`; stores
remember it and are built again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

import Stemmer

from corpus.core.text import fold
from retrieval.core.stop_words import ASKING, STOP_WORDS

VERSION: Final = 1
LONGEST_TERM: Final = 80

_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
_PIECE: Final = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\W_])+(?:['._+\-]+(?:(?![{_UNSPACED}])[^\W_])+)*\+?")
_IS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")
_PART: Final = re.compile(r"[^\W_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")
_NUMBER: Final = re.compile(r"[\d.]+")
_SCRIPTS: Final = (
    (re.compile("[\u0600-\u06ff]"), "arabic"),
    (re.compile("[\u0400-\u04ff]"), "russian"),
    (re.compile("[\u0370-\u03ff]{2}"), "greek"),
    (re.compile("[\u0900-\u097f]"), "hindi"),
)


@dataclass(frozen=True, slots=True)
class Term:
    """A term and the position of its word; a compound and its first part stand at one position."""

    text: str
    position: int


def analyzer_name(language: str = "english") -> str:
    """Name the analysis as stores remember it.

    >>> analyzer_name()
    'words-1-english'
    """
    return f"words-{VERSION}-{language}"


def language_of(analyzer: str) -> str:
    """Return the language of an analysis by its name."""
    return analyzer.rpartition("-")[2] or "english"


def analyse(text: str, *, language: str = "english") -> list[Term]:
    """Return the terms of a passage, in order.

    Case and diacritics are folded; a compound stands whole and in parts; words are reduced to their stems by the language of the
    store, or of their script; signs of scripts without spaces come singly and in twos; stop words leave a gap.

    >>> [term.text for term in analyse("The Hodgkin–Huxley models of Cav3.1")]
    ['hodgkinhuxley', 'hodgkin', 'huxley', 'model', 'cav3.1', 'cav3', '1']
    """
    stop = STOP_WORDS.get(language, frozenset())
    terms: list[Term] = []
    position = 0
    for piece in _PIECE.findall(fold(text)):
        forms = _unspaced(piece) if _IS_UNSPACED.match(piece) else _word(piece, language)
        for form, offset in forms:
            if form not in stop:
                terms.append(Term(form[:LONGEST_TERM], position + offset))
        position += max((offset for _, offset in forms), default=0) + 1
    return terms


def terms_of_question(text: str, *, language: str = "english") -> list[str]:
    """Return the terms that a question is searched by: those of a passage without the words that only ask.

    If nothing else is left, the asking words stay. A term that stands twice is there twice.
    """
    found = [term.text for term in analyse(text, language=language) if not _is_single_sign_of_many(term.text, text)]
    telling = [term for term in found if term not in asking_words(language)]
    return telling or found


def _is_single_sign_of_many(term: str, text: str) -> bool:
    return len(term) == 1 and _IS_UNSPACED.match(term) is not None and len(_IS_UNSPACED.findall(text)) > 1


@cache
def asking_words(language: str) -> frozenset[str]:
    """Return the terms that only ask, of a language."""
    if language != "english":
        return frozenset()
    return ASKING | frozenset(stem(word, language) for word in ASKING)


def _word(piece: str, language: str) -> list[tuple[str, int]]:
    bare = piece.removesuffix("'s")
    whole = bare.replace("'", "").rstrip("+")
    parts = _PART.findall(whole)
    if len(parts) == 1:
        return [(stem(parts[0], language), 0), *_letters(parts[0])]
    if _NUMBER.fullmatch(whole):
        return [(whole, 0)]
    symbol = whole if any(sign.isdigit() for sign in whole) else stem("".join(parts), language)
    return [(symbol, 0), *((stem(part, language), place) for place, part in enumerate(parts))]


def _letters(word: str) -> list[tuple[str, int]]:
    """Return the letters of a name with a number, so that NeuroML2 is found by NeuroML."""
    if not any(sign.isdigit() for sign in word):
        return []
    found = _LETTERS.match(word)
    return [(found.group(), 0)] if found else []


def _unspaced(run: str) -> list[tuple[str, int]]:
    singles = [(sign, place) for place, sign in enumerate(run)]
    pairs = [(run[place : place + 2], place) for place in range(len(run) - 1)]
    return sorted([*singles, *pairs], key=lambda form: form[1])


def stem(word: str, language: str) -> str:
    """Reduce a folded word to its stem, by the language of its script, else by `language`; words with digits stay."""
    return _stem(word, language)


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    if any(sign.isdigit() for sign in word):
        return word
    for script, of_script in _SCRIPTS:
        if script.search(word):
            language = of_script
            break
    stemmer = _stemmer(language)
    return word if stemmer is None else str(stemmer.stemWord(word))


@cache
def _stemmer(language: str) -> Stemmer.Stemmer | None:
    return Stemmer.Stemmer(language, 0) if language in Stemmer.algorithms() else None


def pairs(terms: list[Term]) -> Iterator[tuple[str, str]]:
    """Give the neighbouring terms of a passage or a question, two by two."""
    for one, other in pairwise(terms):
        if other.position - one.position == 1:
            yield one.text, other.text
