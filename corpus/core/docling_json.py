"""Read what metadata needs from a converted document in Docling's JSON form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from corpus.core.chunk import Box
from corpus.core.extraction.cascade import DocumentSigns
from corpus.core.extraction.lines import HeaderLine

BEGINNING: Final = 6_000
MOST_HEADINGS: Final = 50
MOST_LINKS: Final = 200
MOST_LINES: Final = 400
ASIDE: Final = frozenset({"page_header", "page_footer"})


def signs_of(name: str, document: Mapping[str, Any], info: Mapping[str, Any]) -> DocumentSigns:
    """Gather what a conversion left of a document for its metadata.

    Args:
        name: the file's name.
        document: a DoclingDocument as JSON.
        info: the converter's own findings: pdf_info, header_lines, title.
    """
    origin = document.get("origin") or {}
    return DocumentSigns(
        name=name,
        text=beginning_of(document),
        info=info.get("pdf_info") or {},
        docling_title=info.get("title") or title_of(document),
        mimetype=str(origin.get("mimetype") or ""),
        uri=str(origin.get("uri") or ""),
        links=links_of(document),
        header=_header_lines(info.get("header_lines") or []),
        chunk_headings=headings_of(document),
    )


def beginning_of(document: Mapping[str, Any], limit: int = BEGINNING) -> str:
    """Return the text that the document begins with, an item a line, without page headers."""
    lines: list[str] = []
    length = 0
    for item in _texts(document):
        if item.get("label") in ASIDE:
            continue
        lines.append(str(item.get("text") or ""))
        length += len(lines[-1]) + 1
        if length >= limit:
            break
    return "\n".join(lines)[:limit]


def title_of(document: Mapping[str, Any]) -> str | None:
    """Return the first item that is labelled as title."""
    return next((str(item["text"]) for item in _texts(document) if item.get("label") == "title" and item.get("text")), None)


def headings_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the first section headings."""
    found = (str(item["text"]) for item in _texts(document) if item.get("label") == "section_header" and item.get("text"))
    return tuple(heading for heading, _ in zip(found, range(MOST_HEADINGS), strict=False))


def links_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the web addresses that the text links to, each once."""
    found = (str(item["hyperlink"]) for item in _texts(document) if item.get("hyperlink"))
    web = dict.fromkeys(link for link in found if link.startswith(("http://", "https://")))
    return tuple(web)[:MOST_LINKS]


def has_text(document: Mapping[str, Any]) -> bool:
    """Tell whether there is any text or table in the document."""
    return any(str(item.get("text") or "").strip() for item in _texts(document)) or bool(document.get("tables"))


def _texts(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in document.get("texts") or []:
        if isinstance(item, dict):
            yield item


def _header_lines(lines: Sequence[Mapping[str, Any]]) -> tuple[HeaderLine, ...]:
    return tuple(
        HeaderLine(str(line.get("text") or ""), float(line.get("size") or 0), bool(line.get("bold")), _box(line))
        for line in lines[:MOST_LINES]
    )


def _box(line: Mapping[str, Any]) -> Box | None:
    box = line.get("box")
    if not isinstance(box, list | tuple) or len(box) != 4:
        return None
    return Box(int(line.get("page") or 1), *(float(edge) for edge in box))
