"""The exact words of a source behind a sentence of an answer, found after one documented normalisation.

Folded away: hyphens within words (at line ends too) and soft ones, ligatures and other compatibility forms, kinds of quotes and
dashes, runs of white space, case, note numbers in superscript behind a word. Never digits, signs or letters: an exponent stays
one, and a number is found only as a whole number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chat.core.extraction.question import content_words
from chat.core.sentences import sentences
from corpus.core.chunk import Box, Span, boxes_between

INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e")
SAME = {**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-"), "…": "..."}
SUPERSCRIPTS = frozenset("¹²³⁰⁴⁵⁶⁷⁸⁹⁻⁺")
NOTE_NUMBER = re.compile(r"(?:(?<=[^\W\d_]{4})|(?<=[^\d\s][.,;:”\"’]))[¹²³⁰⁴-⁹]{1,3}(?:[,–-][¹²³⁰⁴-⁹]{1,3}){0,8}")
HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010\u2011](?:[ \t]*\n\s*)?(?=[^\W\d_])")
BEFORE_NUMBER = re.compile(r"(?:\d[.,]|[-+^]|(?<![\w)])[.,])\Z")
AFTER_NUMBER = re.compile(r"\A(?:[.,]\d|\s?[%‰]|\s?[x×·*]\s?10|\^)")
AS_WRITTEN = re.compile(r"`|(?<!\w)\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?!\w)")  # emphasis and code marks of the answer
LEAST_SHARED = 0.34
REPORTING = frozenset(
    content_words(
        "authors author write wrote state stated report reported conclude concluded find note noted add added explain explained "
        "define defined paper study article text passage source section say put it as follows literally quote words define "
        "observe observed summarise summarize summarised summarized remark remarked argue argued claim claimed suggest suggested"
    )
)
MARKS = re.compile(r"[\"“”„«»]")
QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{12,600})[\"“”„«»]")


@dataclass(frozen=True)
class Quote:
    """Words of a source, `source[start:end]`; `exact` when the sentence itself stands there, else the best-matching passage.

    Attributes:
        shared: share of the sentence's content words that the quote holds, 0..1.
    """

    start: int
    end: int
    text: str
    exact: bool
    shared: float = 1.0


@dataclass(frozen=True)
class Folded:
    """A text after the normalisation; `places[i]` is where its i-th character comes from."""

    text: str
    places: tuple[int, ...]

    def find(self, part: str) -> tuple[int, int] | None:
        """Return where a folded part stands in the original text, as whole words."""
        begin = self.text.find(part)
        while begin >= 0:
            end = begin + len(part)
            if not (_is_inside_word(self.text, begin) or _is_inside_word(self.text, end) or _cuts_number(self.text, begin, end)):
                return self.places[begin], self.places[end - 1] + 1
            begin = self.text.find(part, begin + 1)
        return None


@lru_cache(maxsize=256)
def folded(text: str) -> Folded:
    """Fold a text and remember where each character comes from.

    >>> folded("The “ﬁrst”  case").text
    'the "first" case'
    """
    out: list[str] = []
    places: list[int] = []
    dropped = {place for kind in (HYPHEN, NOTE_NUMBER) for match in kind.finditer(text) for place in range(*match.span())}
    for place, sign in enumerate(text):
        if place in dropped or sign in INVISIBLE:
            continue
        if sign in SUPERSCRIPTS and (place == 0 or text[place - 1] not in SUPERSCRIPTS):
            out.append("^")
            places.append(place)
        for plain in _plain(sign):
            if plain.isspace():
                if out and out[-1] != " ":
                    out.append(" ")
                    places.append(place)
            else:
                out.append(plain)
                places.append(place)
    return Folded("".join(out), tuple(places))


def _plain(sign: str) -> str:
    return SAME.get(sign) or "".join(SAME.get(part, part) for part in unicodedata.normalize("NFKC", sign).casefold())


def _is_inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _cuts_number(text: str, begin: int, end: int) -> bool:
    """Say whether a part begins or ends with a piece of a number: "3" of "3.5", "5" of "-5", "3" of "3 %"."""
    starts = text[begin].isdigit() and BEFORE_NUMBER.search(text[max(0, begin - 2) : begin]) is not None
    return starts or (text[end - 1].isdigit() and AFTER_NUMBER.match(text[end : end + 6]) is not None)


def exact_words(sentence: str, source: str) -> Quote | None:
    """Return the place of a sentence in a source, if it stands there word for word; its closing mark may differ."""
    wanted = folded(AS_WRITTEN.sub("", sentence)).text.strip().strip('"').rstrip(" .!?;:").strip()
    if len(wanted) < 2:
        return None
    found = folded(source).find(wanted)
    if found is None:
        return None
    start, end = found
    if end < len(source) and source[end] in ".!?":
        end += 1
    return Quote(start, end, source[start:end], exact=True)


def find_quote(sentence: str, source: str) -> Quote | None:
    """Return the words of `source` that a sentence rests on.

    Its own words if they stand there; else the words that it puts in quotation marks, if they stand there and are all that it
    says; else the nearest passage.

    Args:
        sentence: a sentence of an answer, without markers.
        source: the chunk's text.
    """
    return exact_words(sentence, source) or quoted_words(sentence, source) or nearest_words(sentence, source)


def quoted_words(sentence: str, source: str) -> Quote | None:
    """Return the place of the one quotation in a sentence, if it stands in the source and the rest only says who says so.

    Of several quotations none counts: words between them, or between marks within marks, would go unchecked.
    """
    parts = QUOTED.findall(sentence)
    if len(parts) != 1 or len(MARKS.findall(sentence)) != 2:
        return None
    around = content_words(sentence.replace(parts[0], " "))
    return exact_words(parts[0], source) if REPORTING.issuperset(around) else None


def nearest_words(sentence: str, source: str) -> Quote | None:
    """Return the sentence of a source, or two that follow each other, that share most content words; None if few do."""
    wanted = set(content_words(sentence))
    parts = sentences(source, joins_lines=True)
    if not wanted or not parts:
        return None
    held = [wanted.intersection(content_words(part.text)) for part in parts]
    windows = [(place, place) for place in range(len(parts))]
    windows += [(place, place + 1) for place in range(len(parts) - 1)]

    def worth(window: tuple[int, int]) -> tuple[float, int, int]:
        first, last = window
        shared = len(held[first] | held[last]) / len(wanted)
        return shared - 0.15 * (last - first), first - last, -first

    first, last = max(windows, key=worth)
    shared = len(held[first] | held[last]) / len(wanted)
    if shared < LEAST_SHARED:
        return None
    start, end = parts[first].start, parts[last].end
    return Quote(start, end, source[start:end], exact=False, shared=shared)


def boxes_of(quote: Quote, spans: Sequence[Span]) -> tuple[Box, ...]:
    """Return the boxes that a quote stands in."""
    return boxes_between(tuple(spans), quote.start, quote.end)
