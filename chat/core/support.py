"""Does the source say it? Judged by words, numbers, names and negation; never by a model's own claim."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from chat.core.extraction.question import content_words
from chat.core.quotes import Quote, exact_words, folded

Support = Literal["verified", "supported", "weak", "unsupported"]

SUPPORTED_FROM = 0.6
WEAK_FROM = 0.3
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)*")
NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't"
    r"|hasn't|haven't|hadn't|couldn't|wouldn't|shouldn't|lacks?|lacking|absent|absence|fail(?:s|ed)? to|unable|hardly|rarely)\b"
)
NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-ZÀ-Þ][\w’'-]*[\wÀ-ÿ]\b")
QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{12,600})[\"“”„«»]")


@dataclass(frozen=True)
class Judgement:
    """What a check found, and why."""

    support: Support
    reasons: tuple[str, ...] = ()


def judge(sentence: str, source: str, quote: Quote | None) -> Judgement:
    """Judge whether a source supports a sentence that cites it.

    Args:
        sentence: without markers.
        source: the chunk's text, with its headings where the reader sees them.
        quote: the words found for it, if any.

    >>> judge("The cell fires at 5 Hz.", "The cell fires at 7 Hz.", None).reasons
    ('the number 5 does not stand in the source',)
    """
    if quote is not None and quote.exact:
        return Judgement("verified")
    if invented := [part for part in QUOTED.findall(sentence) if exact_words(part, source) is None]:
        return Judgement("unsupported", (f"these words do not stand in the source: {invented[0][:80]}",))
    if strange := foreign_numbers(sentence, source):
        return Judgement("unsupported", (f"the number {strange[0]} does not stand in the source",))
    if quote is None:
        return Judgement("unsupported", ("nothing in the source is like it",))
    if is_negated(sentence) != is_negated(quote.text):
        return Judgement("weak", ("one of the two says not",))
    if strangers := foreign_names(sentence, source):
        return Judgement("weak", (f"{strangers[0]} does not stand in the source",))
    return _by_words(sentence, source, quote)


def _by_words(sentence: str, source: str, quote: Quote) -> Judgement:
    wanted = set(content_words(sentence))
    anywhere = len(wanted.intersection(content_words(source))) / len(wanted) if wanted else 0.0
    if quote.shared >= SUPPORTED_FROM and anywhere >= SUPPORTED_FROM:
        return Judgement("supported")
    if anywhere >= WEAK_FROM:
        return Judgement("weak", (f"{anywhere:.0%} of its words stand in the source",))
    return Judgement("unsupported", (f"only {anywhere:.0%} of its words stand in the source",))


def foreign_numbers(sentence: str, source: str) -> list[str]:
    """Return the numbers of a sentence that a source doesn't hold."""
    held = {plain_number(match) for match in NUMBER.findall(folded(source).text)}
    return [match for match in NUMBER.findall(folded(sentence).text) if plain_number(match) not in held]


def plain_number(text: str) -> str:
    """Return a number without thousands separators, sign of plus and trailing zeros.

    >>> plain_number("1,200"), plain_number("3.50"), plain_number("-5")
    ('1200', '3.5', '-5')
    """
    bare = re.sub(r",(?=\d{3}(?:\D|$))", "", text.lstrip("+")).replace(",", ".")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


def foreign_names(sentence: str, source: str) -> list[str]:
    """Return the capitalised words within a sentence that a source doesn't hold in any case."""
    held = folded(source).text
    return [name for name in NAME.findall(sentence) if folded(name).text not in held]


def is_negated(text: str) -> bool:
    """Say whether a text has an odd number of negations."""
    return len(NEGATION.findall(folded(text).text)) % 2 == 1
