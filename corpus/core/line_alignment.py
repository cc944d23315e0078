"""Find where the lines of a page stand in a text that was made of them, so that words can be shown on the page.

Only letters and digits are compared: hyphens at line ends, ligatures, spaces and quotes may have changed on the way.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from corpus.core.chunk import Box, Span

SEARCH_AHEAD: Final = 400
LEAST: Final = 2


@dataclass(frozen=True)
class PlacedLine:
    """A line of a page and where it stands."""

    text: str
    box: Box


class Alignment:
    """A text, made ready to find lines in it from left to right."""

    def __init__(self, text: str) -> None:
        self._letters, self._places = letters_of(text)
        self._cursor = 0

    def place(self, line: PlacedLine) -> Span | None:
        """Return the part of the text that `line` became, or None; the next line is sought behind it."""
        wanted, _ = letters_of(line.text)
        if len(wanted) < LEAST:
            return None
        found = self._letters.find(wanted, self._cursor, self._cursor + SEARCH_AHEAD + len(wanted))
        if found < 0:
            found = self._letters.find(wanted)
        if found < 0:
            return None
        self._cursor = found + len(wanted)
        return Span(self._places[found], self._places[self._cursor - 1] + 1, (line.box,))


def align(text: str, lines: Sequence[PlacedLine]) -> tuple[Span, ...]:
    """Return a span for each line that stands in `text`, sorted by place."""
    alignment = Alignment(text)
    placed = (alignment.place(line) for line in lines)
    return tuple(sorted((span for span in placed if span is not None), key=lambda span: (span.start, span.end)))


def letters_of(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of `text`, folded, and for each the index of its character in `text`.

    >>> letters_of("Ab-1 ﬁ")
    ('ab1fi', [0, 1, 3, 5, 5])
    """
    letters: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character).casefold():
            if part.isalnum():
                letters.append(part)
                places.append(index)
    return "".join(letters), places


def trimmed(span: Span, start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of a one-line span, cut at the left and right to `text[start:end]`, as if letters were equally wide."""
    length = span.end - span.start
    if length <= 0:
        return span.boxes
    first = max(0, start - span.start) / length
    last = min(length, end - span.start) / length
    return tuple(
        Box(box.page, box.left + first * (box.right - box.left), box.top, box.left + last * (box.right - box.left), box.bottom)
        for box in span.boxes
    )
