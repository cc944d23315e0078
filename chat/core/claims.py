"""What of a sentence can be plainly false: its numbers, symbols, names, negations and directions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chat.core.quotes import folded
from corpus.core.text import fold

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\^[-+]?\d+)?(?:\s?%)?(?![\w]*[^\W\d_])")
_SYMBOL = re.compile(r"(?<!\w)(?=[\w.\-]*[^\W\d_])(?=[\w.\-]*\d)[^\W_][\w.\-]*[^\W_](?!\w)")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)(?<![\"“„«])\b[A-ZÀ-Þ][\w’'-]*[\wÀ-ÿ]\b")
_FIRST_NAME = re.compile(r"\A[A-ZÀ-Þ][\w’'-]+(?= et al\b| and [A-ZÀ-Þ]| [A-ZÀ-Þ][\w’'-]+)")
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't"
    r"|hasn't|haven't|hadn't|couldn't|wouldn't|shouldn't|lacks?|lacked|lacking|absent|absence|fail(?:s|ed)? to|unable|hardly"
    r"|rarely|kein\w{0,2}|nicht|nie|ohne|pas|jamais|sans|ni|sin|nunca|non|senza)\b"
)
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_WORDS_FOR = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split(), start=2)}
_NUMBER_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(_WORDS_FOR)})(?![\w-])")
_OPPOSITES = """
increas decreas; increas reduc; rais lower; higher lower; more less; more fewer; greater smaller; larger smaller; longer shorter
faster slower; stronger weaker; activat inhibit; promot inhibit; stimulat inhibit; enhanc inhibit; enhanc impair; improv worsen
upregulat downregulat; up-regulat down-regulat; positiv negativ; present absent; gain loss; gain lose; before after; above below
open clos; depolaris hyperpolaris; depolariz hyperpolariz; excit inhibit; accept reject; allow prevent; allow forbid; early late
first last; maximum minimum; highest lowest; most least; always never; sufficient insufficient; significant insignificant
beneficial harmful; efficient inefficient; effective ineffective; possible impossible; dependent independent; stable unstable
"""
_PAIRS = tuple(tuple(pair.split()) for pair in re.split(r"[;\n]", _OPPOSITES.strip()) if pair.strip())
_STEMS = re.compile(rf"\b(?:{'|'.join(sorted({stem for pair in _PAIRS for stem in pair}, key=len, reverse=True))})\w{{0,4}}\b")


def numbers_of(text: str) -> list[str]:
    """Return the numbers of a text in plain form, percent signs kept; small number words count as numbers.

    >>> numbers_of("Two of 1,200 cells fired at 3.50 Hz, 5% of Cav3.1")
    ['2', '1200', '3.5', '5%']
    """
    plain = _NUMBER_WORD.sub(lambda found: _WORDS_FOR[found.group()], folded(text).text)
    return [plain_number(found) for found in _NUMBER.findall(plain)]


def plain_number(text: str) -> str:
    """Return a number without thousands separators, plus sign and trailing zeros.

    >>> plain_number("1,200"), plain_number("3.50"), plain_number("-5 %")
    ('1200', '3.5', '-5%')
    """
    unit = "%" if text.endswith("%") else ""
    bare = text.removesuffix("%").strip().lstrip("+").replace(",", "")
    return (bare.rstrip("0").rstrip(".") if "." in bare else bare) + unit


def symbols_of(text: str) -> list[str]:
    """Return the symbols of a text, words of letters and digits, folded.

    >>> symbols_of("Cav3.1 and TGF-b2 in 5 cells")
    ['cav3.1', 'tgf-b2']
    """
    return [found.casefold() for found in _SYMBOL.findall(text)]


def names_of(text: str) -> list[str]:
    """Return the capitalised words of a sentence that are not only capitalised because they begin it, folded, in order.

    >>> names_of("Hodgkin and Huxley measured Loligo axons")
    ['hodgkin', 'huxley', 'loligo']
    """
    first = _FIRST_NAME.match(text)
    return [fold(name) for name in [*([first.group()] if first else []), *_NAME.findall(text)]]


def without(wanted: Iterable[str], held: str) -> list[str]:
    """Return what of `wanted` is no word of a folded text."""
    return [word for word in wanted if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", held) is None]


def negations(text: str) -> int:
    """Count the negations of a text."""
    return len(_NEGATION.findall(folded(text).text))


def opposites(sentence: str, source: str) -> tuple[str, str] | None:
    """Return a word of a sentence and its opposite in a source, if the source has the opposite and not the word.

    >>> opposites("It increased the current.", "It decreased the current.")
    ('increased', 'decreased')
    """
    said, held = _directions(sentence), _directions(source)
    for one, other in _PAIRS:
        for word, opposite in ((one, other), (other, one)):
            if word in said and word not in held and opposite in held and opposite not in said:
                return said[word], held[opposite]
    return None


def _directions(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in _STEMS.findall(fold(text)):
        for pair in _PAIRS:
            for stem in pair:
                if word.startswith(stem):
                    found.setdefault(stem, word)
    return found
