"""Does the source say it? Judged by words, numbers, names, negation and order; never by a model's own claim.

What can be plainly false decides first: words in quotation marks, numbers, symbols, negation, opposites, names. A score of a
model that compares meanings may then lift or lower what is left, and never overrules them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from chat.core.alignment import Alignment, align, words_in
from chat.core.claims import names_of, negations, numbers_of, opposites, symbols_of, without
from chat.core.extraction.question import content_words
from chat.core.quotes import QUOTED, Quote, exact_words
from chat.core.sentences import sentences
from corpus.core.text import fold

Support = Literal["verified", "supported", "weak", "unsupported"]

SUPPORTED_FROM = 0.6
WEAK_FROM = 0.3
STRANGE_RUN = 3
NEAR_COPY = 0.75
ENTAILED_FROM = 0.85
CONTRADICTED_BELOW = 0.15


@dataclass(frozen=True)
class Judgement:
    """What a check found, and why.

    Attributes:
        final: no model's score may lift it.
    """

    support: Support
    reasons: tuple[str, ...] = ()
    final: bool = False


def judge(sentence: str, source: str, quote: Quote | None, *, entailment: float | None = None) -> Judgement:
    """Judge whether a source supports a sentence that cites it.

    Args:
        sentence: without markers.
        source: the chunk's text, with its headings where the reader sees them.
        quote: the words found for it, if any.
        entailment: how surely the source entails the sentence, 0..1, by a model that compares the two; None: not asked.

    >>> judge("The cell fires at 5 Hz.", "The cell fires at 7 Hz.", None).reasons
    ('the number 5 does not stand in the source',)
    """
    plain = _judged(sentence, source, quote)
    if entailment is None or plain.final or plain.support == "verified":
        return plain
    if entailment >= ENTAILED_FROM and plain.support != "supported":
        return Judgement("supported", (*plain.reasons, f"a model finds it said there ({entailment:.2f})"))
    if entailment < CONTRADICTED_BELOW and plain.support == "supported":
        return Judgement("weak", (f"a model does not find it said there ({entailment:.2f})",))
    return plain


def _judged(sentence: str, source: str, quote: Quote | None) -> Judgement:
    if quote is not None and quote.exact:
        return _cut_out(sentence, source, quote) or Judgement("verified", final=True)
    if invented := [part for part in QUOTED.findall(sentence) if exact_words(part, source) is None]:
        return Judgement("unsupported", (f"these words do not stand in the source: {invented[0][:80]}",), final=True)
    if strange := _strange_figures(sentence, source):
        return strange
    if quote is None:
        return Judgement("unsupported", ("nothing in the source is like it",))
    return _against_passage(sentence, source, quote.text) or _by_words(sentence, source, quote)


def _cut_out(sentence: str, source: str, quote: Quote) -> Judgement | None:
    """Find words that stand in the source but mean another thing there: "X is so" cut out of "there is no sign that X is so"."""
    around = " ".join(part.text for part in sentences(source) if part.start < quote.end and quote.start < part.end)
    kept = negations(quote.text)
    if negations(around) == kept or negations(sentence) > kept:
        return None
    before = around.partition(quote.text)[0]
    if negations(before) and not before.rstrip().endswith((",", ";", ":", ".")):
        return Judgement("weak", ("its words stand in the source, but within a sentence that says not",), final=True)
    return None


def _strange_figures(sentence: str, source: str) -> Judgement | None:
    held = set(numbers_of(source))
    for number in numbers_of(sentence):
        if number not in held and f"{number}%" not in held:
            return Judgement("unsupported", (f"the number {number} does not stand in the source",), final=True)
    if strange := without(symbols_of(sentence), fold(source)):
        return Judgement("unsupported", (f"{strange[0]} does not stand in the source",), final=True)
    return None


def _against_passage(sentence: str, source: str, passage: str) -> Judgement | None:
    """Compare with the passage that is most like it."""
    said, told = set(numbers_of(sentence)), set(numbers_of(passage))
    if said - told and told - said:
        one, other = min(said - told), min(told - said)
        return Judgement("unsupported", (f"the passage says {other}, not {one}",), final=True)
    if changed := _replaced(sentence, passage):
        return changed
    if negations(sentence) % 2 != negations(passage) % 2:
        return Judgement("weak", ("one of the two says not",), final=True)
    if pair := opposites(sentence, passage):
        return Judgement("weak", (f"the passage says {pair[1]}, not {pair[0]}",), final=True)
    return _by_names(sentence, source, passage)


def _replaced(sentence: str, passage: str) -> Judgement | None:
    """Find a number, symbol or name of a near copy that stands in the place of another one."""
    aligned = align(sentence, passage)
    if aligned.covered < NEAR_COPY:
        return None
    names = {word for name in names_of(sentence) for word in words_in(name)}
    for here, there in aligned.replaced():
        if any(sign.isdigit() for word in here for sign in word) and not set(here) <= set(there):
            return Judgement("unsupported", (f"the passage says {' '.join(there)}, not {' '.join(here)}",), final=True)
        if names.intersection(here) - set(there):
            return Judgement("weak", (f"the passage speaks of {' '.join(there)}, not of {' '.join(here)}",), final=True)
    return None


def _by_names(sentence: str, source: str, passage: str) -> Judgement | None:
    names, told = list(dict.fromkeys(names_of(sentence))), fold(passage)
    if strangers := without(names, fold(source)):
        return Judgement("weak", (f"{strangers[0]} does not stand in the source",), final=True)
    if moved := without(names, told):
        others = [name for name in names_of(passage) if name not in fold(sentence)]
        if others:
            return Judgement("weak", (f"the passage speaks of {others[0]}, not of {moved[0]}",), final=True)
    if _is_turned(names, told, sentence, passage):
        return Judgement("weak", ("the names stand in another order in the source",))
    return None


def _is_turned(names: Sequence[str], told: str, sentence: str, passage: str) -> bool:
    """Say whether names change places, where the form of the sentence doesn't explain it."""
    there = [told.find(name) for name in names]
    if len(names) < 2 or there == sorted(there) or min(there) < 0:
        return False
    return (" by " in sentence) == (" by " in passage) and align(sentence, passage).covered >= WEAK_FROM


def _by_words(sentence: str, source: str, quote: Quote) -> Judgement:
    aligned = align(sentence, source)
    strange = aligned.strange_run()
    if len(strange) >= STRANGE_RUN:
        return Judgement("weak", (f"these words do not stand in the source: {' '.join(strange)[:80]}",))
    if _is_stitched(aligned, source):
        return Judgement("weak", ("it joins pieces of sentences that stand apart in the source",))
    wanted = set(content_words(sentence))
    anywhere = len(wanted.intersection(content_words(source))) / len(wanted) if wanted else 0.0
    if quote.shared >= SUPPORTED_FROM and anywhere >= SUPPORTED_FROM:
        return Judgement("supported")
    if anywhere >= WEAK_FROM:
        return Judgement("weak", (f"{anywhere:.0%} of its words stand in the source",))
    return Judgement("unsupported", (f"only {anywhere:.0%} of its words stand in the source",))


def _is_stitched(aligned: Alignment, source: str) -> bool:
    """Say whether a near copy is made of pieces of several sentences, of which one breaks off where the next begins."""
    pieces = aligned.pieces()
    if aligned.covered < NEAR_COPY or len(pieces) < 2:
        return False
    starts = _starts(source)
    places = [(bisect_right(starts, run.there), bisect_right(starts, run.there + run.length - 1)) for run in pieces]
    return any(one[1] != other[0] for one, other in pairwise(places))


@lru_cache(maxsize=64)
def _starts(source: str) -> tuple[int, ...]:
    """Return at which word each sentence of a source begins."""
    counted, starts = 0, []
    for part in sentences(source):
        starts.append(counted)
        counted += len(words_in(part.text))
    return tuple(starts)
