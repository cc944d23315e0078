"""Pages of one ranked block, and how large the block is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

_BLOCK: Final = 64
_ONE: Final = 30

T = TypeVar("T")


@dataclass(frozen=True)
class Page:
    """A page: from 1, with a size of at least 1.

    >>> Page.of("3", "2"), Page.of(None, 10).offset
    (Page(number=3, size=2), 0)
    """

    number: int = 1
    size: int = 30

    @classmethod
    def of(cls, number: object, size: object, *, largest: int = 1_000) -> Page:
        """Read a page from what somebody wrote.

        Raises:
            ValueError: it is no page; the message says what is allowed.
        """
        read = []
        for name, given, default in (("page", number, 1), ("page_size", size, 30)):
            try:
                value = default if given in (None, "") else int(str(given))
            except ValueError:
                raise ValueError(f"{name} is {given}, but it is a whole number from 1 on.") from None
            if value < 1 or (name == "page_size" and value > largest):
                raise ValueError(
                    f"{name} is {value}, but it is at least 1{f' and at most {largest}' if name == 'page_size' else ''}."
                )
            read.append(value)
        return cls(*read)

    @property
    def offset(self) -> int:
        """How many of the best come before the page."""
        return (self.number - 1) * self.size

    def cut(self, ranked: Sequence[T]) -> Sequence[T]:
        """Return what of a ranked block stands on the page; nothing past its end."""
        return ranked[self.offset : self.offset + self.size]


def candidate_window(page_size: int, *, top_k: int = 0) -> int:
    """Return how many candidates are ranked in one block, so that pages cut it without a gap.

    The block is a multiple of the page size of about 64 candidates, and no more pages than `top_k` needs.

    Args:
        page_size: hits a page.
        top_k: most that a reranker reads; 0: no reranker.

    >>> candidate_window(10), candidate_window(7, top_k=55), candidate_window(1, top_k=5)
    (70, 56, 5)
    """
    if page_size <= 1:
        return min(_ONE, top_k) if top_k else _ONE
    block = -(-_BLOCK // page_size) * page_size
    return min(block, -(-top_k // page_size) * page_size) if top_k else block
