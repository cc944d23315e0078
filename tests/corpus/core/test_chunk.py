from __future__ import annotations

from corpus.core.chunk import Box, ChunkDraft, Span, boxes_between

LEFT = Box(1, 50, 700, 300, 712)
RIGHT = Box(1, 310, 50, 560, 62)
NEXT = Box(2, 50, 50, 300, 62)
SPANS = (Span(0, 10, (LEFT, RIGHT)), Span(10, 20, (NEXT,)))


def test_a_quote_over_columns_and_pages_keeps_all_its_boxes() -> None:
    assert boxes_between(SPANS, 5, 15) == (LEFT, RIGHT, NEXT)


def test_a_quote_inside_one_span_has_its_boxes_only() -> None:
    assert boxes_between(SPANS, 10, 12) == (NEXT,)
    assert boxes_between(SPANS, 30, 31) == ()


def test_the_stored_form_is_plain_lists() -> None:
    assert SPANS[1].as_dict() == {"start": 10, "end": 20, "boxes": [[2, 50, 50, 300, 62]]}
    assert ChunkDraft(0, "text").kind == "text"
