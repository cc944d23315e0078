"""What each line of a first page looks like, by itself and beside its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from corpus.core.extraction.author_names import name_share
from corpus.core.extraction.lines import HeaderLine, affiliation_strength, is_body_start, is_junk, is_numeral

MOST_LINES = 90
LARGE = 1.25

OPEN_WORDS = r"\b(?:of|the|for|in|on|with|a|an|to|by|from|using|via|at|as|its|their|between|de|la|le|les|des|du|der|die|von|or)"
_OPEN_WORD = re.compile(rf"(?:{OPEN_WORDS}|-)$", re.IGNORECASE)


@dataclass(frozen=True)
class Traits:
    """What one line looks like.

    Attributes:
        text: as it stands.
        names: how much of it is names of people, 0 to 1.
        place: how much it reads like where somebody works, 0 to 1.
        junk: it belongs to the frame of the page.
        body: the abstract or the text begins here.
        size: the font's size against the usual one of the page; 0 where sizes aren't known.
    """

    text: str
    names: float
    place: float
    junk: bool
    body: bool
    size: float

    @property
    def is_authors(self) -> bool:
        """Tell whether the line reads like a list of authors."""
        return self.names >= 0.6 and not self.body and self.place < 0.5

    @property
    def is_large(self) -> bool:
        """Tell whether the line is set clearly larger than the text."""
        return self.size >= LARGE


def look_at(lines: Sequence[HeaderLine], common: frozenset[str]) -> list[Traits]:
    """Look at every line; far down the page only what is set large counts."""
    sizes = [line.size for line in lines if line.size > 0]
    usual = median(sizes) if sizes else 0.0
    seen = [_look_at(line, usual, common) for line in lines]
    return _in_context(
        [replace(trait, junk=True) if place >= MOST_LINES and not trait.is_large else trait for place, trait in enumerate(seen)]
    )


def common_words(lines: Sequence[HeaderLine]) -> frozenset[str]:
    """The words of the page that also stand in small letters: they are no names, whatever their capitals elsewhere."""
    texts = [line.text for line in lines if "@" not in line.text and "://" not in line.text]
    return frozenset(word for text in texts for word in re.findall(r"(?<![\w'@./-])[a-zà-ÿ]{4,}(?![\w@/])", text))


def _look_at(line: HeaderLine, usual: float, common: frozenset[str]) -> Traits:
    text = line.text.strip()
    return Traits(
        text=text,
        names=name_share(text, common),
        place=affiliation_strength(text),
        junk=is_junk(text) or is_numeral(text),
        body=is_body_start(text),
        size=line.size / usual if usual else 0.0,
    )


def _in_context(traits: Sequence[Traits]) -> list[Traits]:
    """A line after one that ends in "of" or "using" goes on with it, so it names nobody."""
    kept = list(traits)
    for place in range(1, len(kept)):
        before = kept[place - 1]
        if before.names < 0.6 and not before.junk and _OPEN_WORD.search(before.text):
            kept[place] = replace(kept[place], names=0.0)
    return kept
