"""What a block is: heading, text, list item, caption, code, footnote, header or footer of the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from corpus.core.layout.block import LIST_ITEM, NUMBERED, Block
from corpus.core.layout.line import Line, around

Label = Literal["section_header", "text", "list_item", "caption", "code", "footnote", "page_header", "page_footer", "contents"]

CAPTION: Final = re.compile(r"^(?:Figure|Fig\.?|Table|Tab\.|Algorithm|Listing|Box|Scheme)\s*[A-Z]?\d+", re.IGNORECASE)
CONTENTS: Final = re.compile(r"(?:\.\s?){4,}\s*\d{1,4}\s*$|(?:…\s?)+\d{1,4}\s*$")
LETTERS: Final = re.compile(r"[^\W\d_]{3,}")
FORMULA: Final = re.compile(r"[=∑∫√≤≥≈±×∂∇]|\\[a-z]+")
NUMBERS: Final = re.compile(r"\d[\d.,%()\-–]*")
MARGIN: Final = 0.065
LARGER: Final = 1.12
MUCH_LARGER: Final = 1.3


@dataclass(frozen=True)
class PageStyle:
    """What is usual on a page.

    Attributes:
        width, height: in points.
        body_size: the height of most letters.
        body_font: the font of most letters.
        running: texts (digits left out) that stand at the edge of several pages.
    """

    width: float
    height: float
    body_size: float
    body_font: str
    running: frozenset[str] = frozenset()


def style_of(lines: Sequence[Line], *, width: float, height: float, running: frozenset[str] = frozenset()) -> PageStyle:
    """Find what is usual on a page; an empty page counts as set in 10 points."""
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
        fonts[line.font] += len(line.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    return PageStyle(width, height, size, fonts.most_common(1)[0][0] if fonts else "", running)


def labels_of(blocks: Sequence[Block], style: PageStyle) -> list[Label]:
    """Say what each block of a page is; a page that holds nothing but edges (a title page, say) keeps its words as text."""
    labels = [label_of(block, style) for block in blocks]
    if labels and all(label in {"page_header", "page_footer"} for label in labels):
        return ["text" if any(sign.isalpha() for line in block for sign in line.text) else "page_footer" for block in blocks]
    return labels


def label_of(block: Block, style: PageStyle) -> Label:
    """Say what a block is."""
    text = " ".join(line.text for line in block)
    edge = _edge(block, text, style)
    if edge is not None:
        return edge
    if CONTENTS.search(text) or sum(bool(CONTENTS.search(line.text)) for line in block) > 1:
        return "contents"
    if CAPTION.match(text):
        return "caption"
    if all(line.mono for line in block):
        return "code"
    if is_heading(block, text, style):
        return "section_header"
    if LIST_ITEM.match(text):
        return "list_item"
    size = sum(line.size for line in block) / len(block)
    rect = around(line.rect for line in block)
    return "footnote" if size < 0.83 * style.body_size and rect.top > 0.7 * style.height else "text"


def is_heading(block: Block, text: str, style: PageStyle) -> bool:
    """Tell whether a block is a heading: short words, set larger, bolder or in another font than the page's body."""
    if len(text) > 180 or len(block) > 3 or not LETTERS.search(text) or _is_no_title(text):
        return False
    size = sum(line.size for line in block) / len(block)
    if size >= MUCH_LARGER * style.body_size:
        return True
    if text.endswith((",", ";")) or (LIST_ITEM.match(text) and not NUMBERED.match(text)):
        return False
    larger = size >= LARGER * style.body_size
    bold = all(line.bold for line in block) and len(text) < 120 and not text.endswith(".")
    other_font = all(line.font != style.body_font for line in block) and len(block) <= 2
    return larger or bold or (other_font and NUMBERED.match(text) is not None and not text.endswith("."))


def running_texts(edges_by_page: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the texts that stand at the edges of at least three pages, or of half of them if there are fewer than six.

    Args:
        edges_by_page: for each page, the first and last lines.
    """
    pages = [{without_digits(text) for text in edges} for edges in edges_by_page]
    counts = Counter(text for page in pages for text in page if text)
    needed = min(3, max(2, (len(pages) + 1) // 2))
    return frozenset(text for text, count in counts.items() if count >= needed)


def without_digits(text: str) -> str:
    """Return the text by which a running head is recognised although its page number changes."""
    return re.sub(r"[\d\W_]+", " ", text).strip().casefold()


def _edge(block: Block, text: str, style: PageStyle) -> Label | None:
    rect = around(line.rect for line in block)
    short = len(block) <= 2 and len(text) < 140
    top, bottom = rect.bottom < 0.12 * style.height, rect.top > 0.88 * style.height
    known = all(without_digits(line.text) in style.running for line in block) or text.strip().isdigit()
    repeated = len(block) <= 3 and (top or bottom) and known
    if (short and rect.bottom < MARGIN * style.height) or (repeated and top):
        return "page_header"
    if (short and rect.top > (1 - MARGIN) * style.height) or (repeated and bottom):
        return "page_footer"
    return None


def _is_no_title(text: str) -> bool:
    letters = sum(sign.isalpha() for sign in text)
    figures = sum(len(found) for found in NUMBERS.findall(text))
    return letters < 0.5 * len(text.replace(" ", "")) or figures > letters or FORMULA.search(text) is not None
