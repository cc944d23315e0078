"""The picture of a page, so that a reader sees the cited words where they stand."""

from __future__ import annotations

import io
import threading

from corpus.pdf_facts import opened

LARGEST_SIDE = 2400
_one_at_a_time = threading.Lock()


class NoSuchPage(LookupError):  # noqa: N818
    """The file has no such page."""


def render_page(path: str, page: int, *, scale: float = 1.5, password: str | None = None) -> bytes:
    """Return a page as PNG.

    Args:
        path: of a PDF on this machine.
        page: from 1.
        scale: pixels per point; made smaller where a side would pass 2,400 pixels.
        password: opens a protected file.

    Raises:
        NoSuchPage: there is no such page.
        Corrupt, PasswordNeeded: as `corpus.pdf_facts.opened`.
    """
    with _one_at_a_time, opened(path, password) as document:
        if not 1 <= page <= len(document):
            raise NoSuchPage(f"The file has {len(document)} pages; there is no page {page}.")
        sheet = document[page - 1]
        scale = min(scale, LARGEST_SIDE / max(1.0, *sheet.get_size()))
        picture = sheet.render(scale=scale).to_pil()
        out = io.BytesIO()
        picture.save(out, "PNG", optimize=False, compress_level=6)
        return out.getvalue()


def page_size(path: str, page: int, *, password: str | None = None) -> tuple[float, float]:
    """Return width and height of a page in points.

    Raises:
        NoSuchPage: there is no such page.
    """
    with _one_at_a_time, opened(path, password) as document:
        if not 1 <= page <= len(document):
            raise NoSuchPage(f"The file has {len(document)} pages; there is no page {page}.")
        width, height = document[page - 1].get_size()
        return float(width), float(height)
