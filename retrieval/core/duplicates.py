"""Passages that say the same: the best stays."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.core.text import words_of

_PIECE: int = 5


def fold_duplicates(passages: Sequence[tuple[int, str]], *, alike: float = 0.85) -> dict[int, int]:
    """Find passages that repeat a better one.

    Two are alike when the share of common runs of five words is at least `alike`. Of a short passage the whole must agree.

    Args:
        passages: chunk and text, best first.
        alike: least share, 0 to 1.

    Returns:
        Each repeating chunk with the better one that it repeats.

    >>> fold_duplicates([(7, "The same words."), (3, "the SAME words"), (5, "Other words.")])
    {3: 7}
    """
    kept: list[tuple[int, frozenset[tuple[str, ...]]]] = []
    folded: dict[int, int] = {}
    for chunk_id, text in passages:
        pieces = _pieces(text)
        like = next((other for other, held in kept if _share(pieces, held) >= alike), None)
        if like is None:
            kept.append((chunk_id, pieces))
        else:
            folded[chunk_id] = like
    return folded


def _pieces(text: str) -> frozenset[tuple[str, ...]]:
    words = words_of(text)
    return frozenset(tuple(words[place : place + _PIECE]) for place in range(max(1, len(words) - _PIECE + 1)))


def _share(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    if min(len(one), len(other)) < max(len(one), len(other)) / 2:
        return 0.0
    return len(one & other) / len(one | other)
