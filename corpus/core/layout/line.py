"""A line of text on a page, and the joining of a parser's cells into lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

MONO: Final = re.compile(r"courier|mono|cmtt|consol|typewriter|menlo|inconsolata", re.IGNORECASE)
BOLD: Final = re.compile(r"bold|black|heavy|demi|cmbx|-bd|sfbx|\bbx\d", re.IGNORECASE)
SAME_LINE_OVERLAP: Final = 0.6
WORD_GAP: Final = 0.9


@dataclass(frozen=True)
class Rect:
    """A rectangle in points, origin top left."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in points."""
        return self.bottom - self.top


@dataclass(frozen=True)
class Cell:
    """A piece of text that a parser gives, in one font, on one baseline.

    Attributes:
        index: its place in the parser's list.
        text: not blank.
        rect: where it stands.
        font: the font's name; empty where it isn't known.
    """

    index: int
    text: str
    rect: Rect
    font: str = ""


@dataclass(frozen=True)
class Line:
    """Cells that follow each other on one baseline.

    Attributes:
        cells: left to right.
        text: their words.
        rect: around them.
        size: height of the tallest cell, in points.
        font: the font of most letters.
        bold, mono: whether most letters are.
    """

    cells: tuple[Cell, ...]
    text: str
    rect: Rect
    size: float
    font: str
    bold: bool
    mono: bool


def around(rects: Iterable[Rect]) -> Rect:
    """Return the smallest rectangle around others; there must be one at least."""
    found = list(rects)
    return Rect(
        min(rect.left for rect in found),
        min(rect.top for rect in found),
        max(rect.right for rect in found),
        max(rect.bottom for rect in found),
    )


def lines_of(cells: Iterable[Cell]) -> list[Line]:
    """Join cells into lines, top to bottom; cells far apart on one baseline (two columns) stay apart."""
    rows: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda one: (round(one.rect.top), one.rect.left)):
        row = next((row for row in reversed(rows[-12:]) if _continues(row[-1].rect, cell.rect)), None)
        if row is None:
            rows.append([cell])
        else:
            row.append(cell)
    return [make_line(row) for row in rows]


def make_line(cells: Sequence[Cell]) -> Line:
    """Make a line of cells."""
    letters: Counter[str] = Counter()
    for cell in cells:
        letters[cell.font] += len(cell.text)
    total = sum(letters.values()) or 1
    return Line(
        cells=tuple(cells),
        text=" ".join(cell.text.strip() for cell in cells),
        rect=around(cell.rect for cell in cells),
        size=max(cell.rect.height for cell in cells),
        font=letters.most_common(1)[0][0],
        bold=sum(count for font, count in letters.items() if BOLD.search(font)) > SAME_LINE_OVERLAP * total,
        mono=sum(count for font, count in letters.items() if MONO.search(font)) > SAME_LINE_OVERLAP * total,
    )


def _continues(last: Rect, following: Rect) -> bool:
    overlap = min(last.bottom, following.bottom) - max(last.top, following.top)
    gap = following.left - last.right
    tallest = max(last.height, following.height)
    return overlap > SAME_LINE_OVERLAP * min(last.height, following.height) and -2 < gap < WORD_GAP * tallest
