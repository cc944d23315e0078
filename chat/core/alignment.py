"""How a sentence of an answer lies along its source: which runs of words it shares, and where."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from chat.core.extraction.question import STOP_WORDS, stem
from chat.core.quotes import folded

WORD = re.compile(r"[^\W_]+(?:[.,'’-](?=\w)[^\W_]+)*")
MOST_WORDS = 2_000


@dataclass(frozen=True)
class Run:
    """Words that a sentence and a source share in order: `length` of them, from `here` in the sentence, `there` in the source."""

    here: int
    there: int
    length: int


@dataclass(frozen=True)
class Alignment:
    """A sentence's words, the runs that cover them, and what is left.

    Attributes:
        words: of the sentence, folded.
        source: words of the source, folded.
        runs: in the order of the sentence; they don't overlap.
    """

    words: tuple[str, ...]
    source: tuple[str, ...]
    runs: tuple[Run, ...]

    @property
    def covered(self) -> float:
        """The share of the sentence's words that runs of three or more words cover, 0..1."""
        return sum(run.length for run in self.runs if run.length >= 3) / len(self.words) if self.words else 0.0

    def strange_run(self) -> tuple[str, ...]:
        """Return the longest run of content words of which the source has none, in any form."""
        held = {stem(word) for word in self.source}
        longest: tuple[str, ...] = ()
        current: list[str] = []
        for word in self.words:
            if word in STOP_WORDS:
                continue
            current = [] if stem(word) in held else [*current, word]
            if len(current) > len(longest):
                longest = tuple(current)
        return longest

    def replaced(self, *, most: int = 3) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """Return words of the sentence that stand between two shared runs, each with what the source has in their place."""
        long = [run for run in self.runs if run.length >= 2]
        found = []
        for one, other in pairwise(long):
            here = self.words[one.here + one.length : other.here]
            there = self.source[one.there + one.length : other.there]
            if 0 < len(here) <= most and 0 < len(there) <= most:
                found.append((here, there))
        return tuple(found)

    def pieces(self, *, least: int = 4) -> tuple[Run, ...]:
        """Return the runs that are long enough to be pieces of the source, in the order of the sentence."""
        return tuple(run for run in self.runs if run.length >= least)


def words_in(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, numbers and symbols whole."""
    return tuple(WORD.findall(folded(text).text)[:MOST_WORDS])


def align(sentence: str, source: str) -> Alignment:
    """Cover a sentence with the longest runs of words that its source has, from left to right.

    >>> [(run.here, run.there, run.length) for run in align("cells fire fast here", "all cells fire but here").runs]
    [(0, 1, 2), (3, 4, 1)]
    """
    words, held = words_in(sentence), words_in(source)
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(held):
        places[word].append(place)
    runs: list[Run] = []
    here = 0
    while here < len(words):
        best = _longest(words, held, here, places.get(words[here], ()), after=_end(runs))
        if best.length:
            runs.append(best)
        here += max(best.length, 1)
    return Alignment(words, held, tuple(runs))


def _end(runs: Sequence[Run]) -> int:
    return runs[-1].there + runs[-1].length if runs else 0


def _longest(words: Sequence[str], held: Sequence[str], here: int, starts: Sequence[int], *, after: int) -> Run:
    """Return the longest run from a word on; of equal ones the first that goes on after the one before."""
    best = Run(here, 0, 0)
    for there in starts[:200]:
        length = 0
        while here + length < len(words) and there + length < len(held) and words[here + length] == held[there + length]:
            length += 1
        if length > best.length or (length == best.length and best.there < after <= there):
            best = Run(here, there, length)
    return best
