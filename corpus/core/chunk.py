"""What a document is cut into: chunks, and where on its pages each part of a chunk stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

ChunkKind = Literal["text", "table", "code", "caption", "list"]


@dataclass(frozen=True)
class Box:
    """A rectangle on a page: PDF points (1/72 inch), origin top left; pages count from 1."""

    page: int
    left: float
    top: float
    right: float
    bottom: float

    def as_list(self) -> list[float]:
        """Return [page, left, top, right, bottom], the stored form."""
        return [self.page, self.left, self.top, self.right, self.bottom]


@dataclass(frozen=True)
class Span:
    """A part of a chunk's text, `text[start:end]`, and the boxes it stands in."""

    start: int
    end: int
    boxes: tuple[Box, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the stored form."""
        return {"start": self.start, "end": self.end, "boxes": [box.as_list() for box in self.boxes]}


@dataclass(frozen=True)
class ChunkDraft:
    """A chunk that is not stored yet. `ordinal` counts from 0 in the file; `headings` is the chain, outermost first."""

    ordinal: int
    text: str
    headings: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    token_count: int = 0
    kind: ChunkKind = "text"


def boxes_between(spans: tuple[Span, ...], start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of the spans that `text[start:end]` touches, in order, none twice.

    >>> spans = (Span(0, 5, (Box(1, 0, 0, 9, 9),)), Span(6, 9, (Box(2, 0, 0, 9, 9),)))
    >>> [box.page for box in boxes_between(spans, 4, 7)]
    [1, 2]
    """
    touched = (box for span in spans if span.start < end and start < span.end for box in span.boxes)
    return tuple(dict.fromkeys(touched))
