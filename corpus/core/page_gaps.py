"""Which pages of a file lack their text, and what that means for the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

UNREAD: Final = ("needs_ocr", "gibberish", "failed")
READ: Final = ("native", "ocr")


class Page(Protocol):
    """What is looked at of a page."""

    @property
    def number(self) -> int: ...  # noqa: D102

    @property
    def kind(self) -> str: ...  # noqa: D102


def pages_of_kind(pages: Iterable[Page], *kinds: str) -> list[int]:
    """Return the numbers of the pages of some kinds."""
    return [page.number for page in pages if page.kind in kinds]


def nothing_is_read(pages: Sequence[Page]) -> bool:
    """Tell whether no page has text though some page should."""
    return not pages_of_kind(pages, *READ) and bool(pages_of_kind(pages, *UNREAD))


def told(numbers: Sequence[int]) -> str:
    """Write page numbers for a sentence, runs drawn together.

    >>> told([3]), told([1, 2, 3, 7])
    ('page 3', 'pages 1-3, 7')
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    shown = ", ".join(parts[:12]) + (", …" if len(parts) > 12 else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"
