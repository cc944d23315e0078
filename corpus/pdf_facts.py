"""What a PDF says of itself, read by pypdfium2: pages with their text and ink, the lines of the first page, fields, outline."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from corpus.converter import Corrupt, PageFacts, PasswordNeeded
from corpus.core.page_text import count_characters, page_kind

HEADER_LINES = 400
EDGE_LINES = 2
INVISIBLE = 3
BOLD_WEIGHT = 600
PICTURE_COVERS = 0.5


@contextmanager
def opened(path: str, password: str | None = None) -> Iterator[Any]:
    """Open a PDF.

    Raises:
        PasswordNeeded: it is protected and the password is missing or wrong.
        Corrupt: it can't be opened, or has no page.
    """
    import pypdfium2

    if Path(path).stat().st_size == 0:
        raise Corrupt("The file is empty (0 bytes).")
    try:
        document = pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            wrong = "The password is wrong." if password else "The PDF is protected by a password."
            raise PasswordNeeded(wrong) from error
        raise Corrupt("The PDF is damaged and can't be opened.") from error
    try:
        if len(document) == 0:
            raise Corrupt("The PDF has no pages.")
        yield document
    finally:
        document.close()


def read_facts(
    path: str, password: str | None = None, progress: Callable[[int], None] = lambda _pages: None
) -> tuple[tuple[PageFacts, ...], dict[str, Any]]:
    """Return the facts of every page, and the PDF's own information."""
    with opened(path, password) as document:
        pages: list[PageFacts] = []
        edges: list[list[str]] = []
        for number in range(1, len(document) + 1):
            facts, edge = _page(document, number)
            pages.append(facts)
            edges.append(edge)
            progress(number)
        info = {
            "pdf_info": {key: value for key, value in document.get_metadata_dict().items() if value},
            "header_lines": header_lines(document),
            "outline": _outline(document),
            "edges": edges,
        }
    return tuple(pages), info


def header_lines(document: Any) -> list[dict[str, Any]]:  # a pypdfium2 document
    """Return the lines of the first page, or of the first two if the first is a cover with few words."""
    lines: list[dict[str, Any]] = []
    for number in (1, 2):
        if number <= len(document) and sum(len(line["text"]) for line in lines) < HEADER_LINES:
            lines += _lines_if_readable(document, number)
    return lines[:HEADER_LINES]


def _lines_if_readable(document: Any, number: int) -> list[dict[str, Any]]:
    import pypdfium2

    try:
        return _lines(document, number)
    except pypdfium2.PdfiumError:
        return []


def _page(document: Any, number: int) -> tuple[PageFacts, list[str]]:
    import pypdfium2

    try:
        page = document[number - 1]
        width, height = page.get_size()
        textpage = page.get_textpage()
        text = textpage.get_text_bounded()
        kinds, hidden = _objects(page, textpage, width * height)
    except (pypdfium2.PdfiumError, OSError, ValueError):
        return PageFacts(number, 0.0, 0.0, 0, has_ink=True, kind="failed"), []
    kind = page_kind(text, has_ink=bool(kinds), has_pictures="picture" in kinds)
    stripped = [line.strip() for line in text.splitlines() if line.strip()]
    edge = stripped[:EDGE_LINES] + stripped[-EDGE_LINES:]
    facts = PageFacts(number, width, height, count_characters(text), bool(kinds), kind, hidden_characters=hidden)
    return facts, edge


def _objects(page: Any, textpage: Any, area: float) -> tuple[set[str], int]:
    """Return which kinds of things stand on the page, and how many characters of text nobody can see.

    Invisible text over a picture that covers the page is an OCR layer and doesn't count.
    """
    from pypdfium2 import raw

    kinds: set[str] = set()
    hidden, covered = 0, False
    for thing in page.get_objects(max_depth=3):
        if thing.type == raw.FPDF_PAGEOBJ_IMAGE:
            kinds.add("picture")
            covered = covered or _area(thing) > PICTURE_COVERS * area
        elif thing.type == raw.FPDF_PAGEOBJ_TEXT:
            kinds.add("text")
            if raw.FPDFTextObj_GetTextRenderMode(thing.raw) == INVISIBLE:
                hidden += max(0, raw.FPDFTextObj_GetText(thing.raw, textpage.raw, None, 0) // 2 - 1)
        else:
            kinds.add("drawing")
    return kinds, 0 if covered else hidden


def _area(thing: Any) -> float:
    left, bottom, right, top = thing.get_bounds()
    return float(abs(right - left) * abs(top - bottom))


def _outline(document: Any) -> list[dict[str, Any]]:
    found = []
    for bookmark in document.get_toc(max_depth=6):
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        found.append({"title": bookmark.get_title(), "level": bookmark.level, "page": None if page is None else page + 1})
    return found[:2000]


def _lines(document: Any, number: int) -> list[dict[str, Any]]:
    from pypdfium2 import raw

    page = document[number - 1]
    textpage, height = page.get_textpage(), page.get_height()
    lines: list[dict[str, Any]] = []
    line = _OpenLine()
    for index in range(textpage.count_chars()):
        sign = chr(raw.FPDFText_GetUnicode(textpage.raw, index))
        if sign in "\r\n":
            line.close_into(lines, number, height)
            line = _OpenLine()
        else:
            line.add(sign, textpage, index)
    line.close_into(lines, number, height)
    return lines


class _OpenLine:
    """A line that is being read, character by character."""

    def __init__(self) -> None:
        self.text = ""
        self.sizes: list[float] = []
        self.bold = 0
        self.boxes: list[tuple[float, float, float, float]] = []

    def add(self, sign: str, textpage: Any, index: int) -> None:
        from pypdfium2 import raw

        self.text += sign
        if not sign.strip():
            return
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(textpage.raw, index, ctypes.byref(matrix))
        scale = abs(matrix.d or matrix.b or 1)
        self.sizes.append(round(raw.FPDFText_GetFontSize(textpage.raw, index) * scale, 1))
        self.bold += raw.FPDFText_GetFontWeight(textpage.raw, index) >= BOLD_WEIGHT
        self.boxes.append(textpage.get_charbox(index))

    def close_into(self, lines: list[dict[str, Any]], page: int, height: float) -> None:
        if not self.text.strip() or not self.boxes:
            return
        box = [
            min(box[0] for box in self.boxes),
            height - max(box[3] for box in self.boxes),
            max(box[2] for box in self.boxes),
            height - min(box[1] for box in self.boxes),
        ]
        bold = self.bold > len(self.boxes) / 2
        lines.append({"text": self.text.strip(), "size": median(self.sizes), "bold": bold, "page": page, "box": box})
