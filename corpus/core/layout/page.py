"""From the cells of a page to its parts in reading order, each with a label and its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from corpus.core.layout.block import Block, block_text, blocks_of
from corpus.core.layout.columns import regions_of
from corpus.core.layout.label import Label, labels_of, style_of
from corpus.core.layout.line import Cell, Rect, around, lines_of, settled

AT_THE_SIDE: Final = 0.12


@dataclass(frozen=True)
class Part:
    """A part of a page: a paragraph, a heading, an item of a list.

    Attributes:
        label: what it is.
        text: its words.
        rect: where it stands on the page as it is shown.
        cells: the places of its cells in the parser's list.
        size, bold, font: of most of its letters.
    """

    label: Label
    text: str
    rect: Rect
    cells: tuple[int, ...]
    size: float
    bold: bool
    font: str

    @property
    def letters(self) -> int:
        """How many signs it has."""
        return len(self.text)


def parts_of(cells: Sequence[Cell], *, width: float, height: float, running: frozenset[str] = frozenset()) -> list[Part]:
    """Return the parts of a page in reading order.

    Text that runs up, down or upside down is read as if the page were turned; what runs otherwise than most of the page comes
    last, and at its side (the stamp of a library) it is no text of the page.
    """
    letters: Counter[int] = Counter()
    for cell in cells:
        letters[cell.angle] += len(cell.text)
    parts: list[Part] = []
    for angle, _ in letters.most_common():
        own = [cell for cell in cells if cell.angle == angle]
        found = _upright_parts(own, angle, width, height, running)
        parts += [_aside(part, width) for part in found] if parts else found
    return parts


def turned(rect: Rect, angle: int, width: float, height: float) -> Rect:
    """Return where a rectangle stands once its page is turned so that its text is upright.

    Args:
        rect: on the page as it is shown.
        angle: 0, 90 (the text runs up), 180 or 270 (the text runs down).
        width: of the page.
        height: of the page.
    """
    if angle == 90:
        return Rect(height - rect.bottom, rect.left, height - rect.top, rect.right)
    if angle == 180:
        return Rect(width - rect.right, height - rect.bottom, width - rect.left, height - rect.top)
    if angle == 270:
        return Rect(rect.top, width - rect.right, rect.bottom, width - rect.left)
    return rect


def _upright_parts(cells: Sequence[Cell], angle: int, width: float, height: float, running: frozenset[str]) -> list[Part]:
    shown = {cell.index: cell.rect for cell in cells}
    wide, high = (height, width) if angle in {90, 270} else (width, height)
    lines = settled(lines_of(replace(cell, rect=turned(cell.rect, angle, width, height)) for cell in cells))
    style = style_of(lines, width=wide, height=high, running=running)
    blocks = [block for region in regions_of(lines, style.body_size) for block in blocks_of(region, style.body_font)]
    return [_part(block, label, shown) for block, label in zip(blocks, labels_of(blocks, style), strict=True)]


def _part(block: Block, label: Label, shown: dict[int, Rect]) -> Part:
    indexes = tuple(cell.index for line in block for cell in line.cells)
    return Part(
        label=label,
        text=block_text(block, code=label == "code"),
        rect=around(shown[index] for index in indexes),
        cells=indexes,
        size=sum(line.size for line in block) / len(block),
        bold=all(line.bold for line in block),
        font=block[0].font,
    )


def _aside(part: Part, width: float) -> Part:
    at_the_side = part.rect.right < AT_THE_SIDE * width or part.rect.left > (1 - AT_THE_SIDE) * width
    return replace(part, label="page_footer" if at_the_side else "text")
