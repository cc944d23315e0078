from __future__ import annotations

from corpus.converter import PageFacts
from corpus.core.page_gaps import nothing_is_read, pages_of_kind, told


def pages(*kinds: str) -> list[PageFacts]:
    return [PageFacts(number, 1, 1, 0, has_ink=True, kind=kind) for number, kind in enumerate(kinds, start=1)]


def test_pages_are_found_by_kind() -> None:
    assert pages_of_kind(pages("native", "failed", "empty", "failed"), "failed") == [2, 4]


def test_a_scan_has_nothing_that_is_read_but_blank_pages_alone_are_no_scan() -> None:
    assert nothing_is_read(pages("needs_ocr", "empty"))
    assert not nothing_is_read(pages("native", "needs_ocr"))
    assert not nothing_is_read(pages("empty"))


def test_long_lists_of_pages_are_drawn_together() -> None:
    assert told([2]) == "page 2"
    assert told(list(range(1, 100))) == "pages 1-99"
    assert told(list(range(1, 100, 2))).endswith(", …")
