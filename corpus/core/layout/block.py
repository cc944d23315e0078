"""Blocks: lines that belong together, such as a paragraph, a heading, an item of a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from corpus.core.layout.line import Line
from corpus.core.text import join_broken_words

NUMBERED: Final = re.compile(r"^(?:(?:[A-Z]|\d{1,2})(?:\.\d{1,2})*\.?|[IVX]{1,5}\.)\s+\S")
LIST_ITEM: Final = re.compile(r"^(?:[•▪◦●○■–‣∙·⁃*-]|\(?[0-9]{1,2}[.)]|\(?[a-z][.)]|\[\d{1,3}\])\s+\S")
SENTENCE_END: Final = (".", ":", "?", "!", ".”", '."')
LOOK_BACK: Final = 40
GAP: Final = 0.75
SAME_SIZE: Final = 0.12

Block = list[Line]


def blocks_of(lines: Sequence[Line], body_font: str) -> list[Block]:
    """Grow blocks from lines, top to bottom: a line joins the last block above it that it continues.

    Args:
        lines: of one column, top to bottom.
        body_font: the font of most letters of the page.
    """
    blocks: list[Block] = []
    for line in lines:
        home = next((block for block in reversed(blocks[-LOOK_BACK:]) if continues(block, line, body_font)), None)
        if home is None:
            blocks.append([line])
        else:
            home.append(line)
    return blocks


def block_text(block: Sequence[Line], *, code: bool = False) -> str:
    """Return the words of a block: a paragraph with the words whole that a line end broke, or code with its lines and indents."""
    if not code:
        return join_broken_words("\n".join(line.text for line in block)).replace("\n", " ")
    left = min(line.rect.left for line in block)
    letters = sum(len(line.text) for line in block)
    wide = sum(line.rect.width for line in block) / letters if letters else 6.0
    return "\n".join(" " * round((line.rect.left - left) / (wide or 6.0)) + line.text for line in block)


def continues(block: Block, line: Line, body_font: str) -> bool:
    """Tell whether `line` goes on what `block` began."""
    last = block[-1]
    return (
        _is_below(last, line)
        and abs(line.size - last.size) <= SAME_SIZE * max(line.size, last.size)
        and (line.bold, line.mono) == (last.bold, last.mono)
        and not (LIST_ITEM.match(line.text) and not last.mono)
        and not _is_heading_before(block, line, body_font)
        and not _starts_paragraph(block, line)
    )


def _is_below(last: Line, line: Line) -> bool:
    shared = min(line.rect.right, last.rect.right) - max(line.rect.left, last.rect.left)
    gap = line.rect.top - last.rect.bottom
    if shared < 0.5 * min(line.rect.width, last.rect.width):
        return False
    return -0.6 * line.size <= gap <= GAP * max(line.size, last.size)


def _is_heading_before(block: Block, line: Line, body_font: str) -> bool:
    last = block[-1]
    return (
        len(block) == 1
        and last.font not in {line.font, body_font}
        and len(last.text) < 90
        and last.rect.width < 0.8 * line.rect.width
        and NUMBERED.match(last.text) is not None
    )


def _starts_paragraph(block: Block, line: Line) -> bool:
    if len(block) < 2 or not block[-1].text.rstrip().endswith(SENTENCE_END):
        return False
    left = min(one.rect.left for one in block[1:])
    return line.rect.left - left > 0.8 * line.size
