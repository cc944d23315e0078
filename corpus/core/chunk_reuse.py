"""Which stored chunks live on when a file is cut again: those with the same text under the same headings."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Reuse:
    """For each new chunk the id of the stored one that becomes it (None: none does), and the ids that nothing becomes."""

    kept: tuple[int | None, ...]
    gone: tuple[int, ...]


def reuse(stored: Mapping[int, Hashable], wanted: Sequence[Hashable]) -> Reuse:
    """Match stored and new chunks of equal identity, in order, each once.

    Args:
        stored: id to identity, in the chunks' order.
        wanted: the new chunks' identities, in order.

    >>> reuse({7: "a", 8: "b", 9: "a"}, ["a", "c", "a", "a"])
    Reuse(kept=(7, None, 9, None), gone=(8,))
    """
    free: dict[Hashable, deque[int]] = defaultdict(deque)
    for pk, identity in stored.items():
        free[identity].append(pk)
    kept = tuple(free[identity].popleft() if free[identity] else None for identity in wanted)
    taken = set(kept)
    return Reuse(kept, tuple(pk for pk in stored if pk not in taken))
