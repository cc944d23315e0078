"""What of a conversation a model sees word for word, and what only as a summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WINDOW_CHARACTERS: Final = 10_000
SUMMARISED_FROM: Final = 10_000


@dataclass(frozen=True)
class Exchange:
    """A question and its answer; never drafts or search queries.

    Attributes:
        ordinal: of the turn in its session, from 1.
    """

    ordinal: int
    question: str
    answer: str

    @property
    def length(self) -> int:
        """Characters of both."""
        return len(self.question) + len(self.answer)


@dataclass(frozen=True)
class Memory:
    """What is shown word for word, and what is to be summarised now.

    Attributes:
        window: the most recent exchanges, oldest first.
        to_summarise: older ones that no summary holds yet, oldest first; empty while they are few.
        summarised_till: ordinal of the last exchange in the summary, once `to_summarise` is in it.
    """

    window: tuple[Exchange, ...]
    to_summarise: tuple[Exchange, ...]
    summarised_till: int


def remembered(
    exchanges: Sequence[Exchange],
    *,
    summarised_till: int = 0,
    window: int = WINDOW_CHARACTERS,
    summarised_from: int = SUMMARISED_FROM,
) -> Memory:
    """Divide a conversation into a window of recent exchanges and what is summarised.

    The window holds as many whole exchanges as fit, at least the last. Window and summary never overlap. What fell out of the
    window is summarised, together with the old summary, when it has grown to `summarised_from` characters; until then it stays
    in the window, so that nothing is out of sight.

    >>> told = [Exchange(n, "q" * 50, "a" * 50) for n in range(1, 5)]
    >>> memory = remembered(told, window=200, summarised_from=150)
    >>> [e.ordinal for e in memory.window], [e.ordinal for e in memory.to_summarise], memory.summarised_till
    ([3, 4], [1, 2], 2)
    """
    open_ones = [exchange for exchange in exchanges if exchange.ordinal > summarised_till]
    start = len(open_ones)
    used = 0
    while start > 0 and (start == len(open_ones) or used + open_ones[start - 1].length <= window):
        start -= 1
        used += open_ones[start].length
    older = open_ones[:start]
    if sum(exchange.length for exchange in older) < summarised_from:
        return Memory(tuple(open_ones), (), summarised_till)
    return Memory(tuple(open_ones[start:]), tuple(older), older[-1].ordinal)
