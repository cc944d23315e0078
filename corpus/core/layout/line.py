"""A line of text on a page, and the joining of a parser's cells into lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

MONO: Final = re.compile(r"courier|mono|cmtt|consol|typewriter|menlo|inconsolata", re.IGNORECASE)
BOLD: Final = re.compile(r"bold|black|heavy|demi|cmbx|-bd|sfbx|\bbx\d", re.IGNORECASE)
SAME_LINE_OVERLAP: Final = 0.55
MOST: Final = 0.6
WORD_GAP: Final = 0.9
OVERLAPPING: Final = 0.8
BLANK_GAP: Final = 0.12
TALL: Final = 1.4
ENOUGH_LETTERS: Final = 20
AS_WIDE: Final = 1.1


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

    @property
    def middle(self) -> float:
        """Half way from top to bottom."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Cell:
    """A piece of text that a parser gives, on one baseline.

    Attributes:
        index: its place in the parser's list.
        text: not blank.
        rect: where it stands.
        font: the font's name; empty where it isn't known.
        angle: 0, or 90, 180, 270 where the text runs up, upside down, or down.
    """

    index: int
    text: str
    rect: Rect
    font: str = ""
    angle: int = 0


@dataclass(frozen=True)
class Line:
    """Cells that follow each other on one baseline.

    Attributes:
        cells: left to right.
        text: their words.
        rect: around them; signs that are taller than the line (roots, brackets) don't count for its height.
        size: height of most letters, in points.
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
    """Join cells into lines, top to bottom; cells far apart on one baseline (two columns, cells of a table) stay apart."""
    found = sorted(cells, key=lambda cell: (cell.rect.left, cell.rect.top))
    followers = _followers(found)
    firsts = set(range(len(found))) - set(followers.values())
    lines = []
    for first in firsts:
        row, at = [found[first]], first
        while at in followers:
            at = followers[at]
            row.append(found[at])
        lines.append(make_line(row))
    return sorted(lines, key=lambda line: (round(line.rect.top), line.rect.left))


def _followers(cells: Sequence[Cell]) -> dict[int, int]:
    """Return for each cell that one follows on its baseline the place of that one; each follows one only."""
    lefts = [cell.rect.left for cell in cells]
    offers: list[tuple[float, int, int]] = []
    for at, cell in enumerate(cells):
        reach = cell.rect.height * TALL
        first, last = bisect_left(lefts, cell.rect.right - reach), bisect_right(lefts, cell.rect.right + reach)
        for other in range(max(first, at + 1), last):
            gap = _gap(cell.rect, cells[other].rect)
            if gap is not None:
                offers.append((gap, at, other))
    followers: dict[int, int] = {}
    taken: set[int] = set()
    for _, at, other in sorted(offers):
        if at not in followers and other not in taken:
            followers[at] = other
            taken.add(other)
    return followers


def _gap(one: Rect, other: Rect) -> float | None:
    """Return how far apart two neighbours on a baseline are, or None if they are none."""
    least = min(one.height, other.height)
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    gap = other.left - one.right
    if overlap <= SAME_LINE_OVERLAP * least or not -OVERLAPPING * least < gap < WORD_GAP * least:
        return None
    return abs(gap) + (one.height - overlap) / 10


def make_line(cells: Sequence[Cell]) -> Line:
    """Make a line of cells that stand left to right."""
    letters: Counter[str] = Counter()
    for cell in cells:
        letters[cell.font] += len(cell.text)
    total = sum(letters.values()) or 1
    size = usual_height(cells)
    main = [cell.rect for cell in cells if cell.rect.height <= TALL * size] or [cell.rect for cell in cells]
    frame, whole = around(main), around(cell.rect for cell in cells)
    return Line(
        cells=tuple(cells),
        text=text_of(cells),
        rect=Rect(whole.left, frame.top, whole.right, frame.bottom),
        size=size,
        font=letters.most_common(1)[0][0],
        bold=sum(count for font, count in letters.items() if BOLD.search(font)) > MOST * total,
        mono=sum(count for font, count in letters.items() if MONO.search(font)) > MOST * total,
    )


def settled(lines: Sequence[Line]) -> list[Line]:
    """Give lines that are tall for a root or an accent only, as the width of their letters shows, the height of the others."""
    body = usual_height([cell for line in lines for cell in line.cells])
    widths = [
        line.rect.width / len(line.text) for line in lines if len(line.text) >= ENOUGH_LETTERS and line.size < AS_WIDE * body
    ]
    if not widths:
        return list(lines)
    wide = AS_WIDE * median(widths)

    def only_seems_large(line: Line) -> bool:
        return line.size >= AS_WIDE * body and len(line.text) >= ENOUGH_LETTERS and line.rect.width / len(line.text) < wide

    return [replace(line, size=body) if only_seems_large(line) else line for line in lines]


def usual_height(cells: Sequence[Cell]) -> float:
    """Return the height that the middle one of all letters has; 10 where there are none."""
    ranked = sorted((cell.rect.height, len(cell.text)) for cell in cells)
    half = sum(count for _, count in ranked) / 2
    for height, count in ranked:
        half -= count
        if half <= 0:
            return height
    return 10.0


def text_of(cells: Sequence[Cell]) -> str:
    """Join the words of cells; those that touch (a letter in another font) without a space."""
    text = cells[0].text.strip()
    for last, cell in pairwise(cells):
        gap = cell.rect.left - last.rect.right
        apart = gap > BLANK_GAP * min(last.rect.height, cell.rect.height) or last.text[-1:].isspace() or cell.text[:1].isspace()
        text += f" {cell.text.strip()}" if apart else cell.text.strip()
    return text
