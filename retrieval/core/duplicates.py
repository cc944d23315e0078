"""Passages that say the same: the best stays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from retrieval.core.passage_words import passage_words

_PIECE: int = 5
_WHOLE: int = 40
Piece = tuple[str, ...]


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
    sizes: dict[int, int] = {}
    holders: dict[Piece, list[int]] = defaultdict(list)
    folded: dict[int, int] = {}
    for chunk_id, text in passages:
        pieces = _pieces(text)
        shared = Counter(holder for piece in pieces for holder in holders.get(piece, ()))
        like = next((other for other, common in shared.items() if common / (len(pieces) + sizes[other] - common) >= alike), None)
        if like is not None:
            folded[chunk_id] = like
            continue
        sizes[chunk_id] = len(pieces)
        for piece in pieces:
            holders[piece].append(chunk_id)
    return folded


def _pieces(text: str) -> set[Piece]:
    """Return runs of words; of a longer passage a fourth of them, chosen by what they are and not by where they stand."""
    words = passage_words(text)
    starts: Sequence[int] = range(max(1, len(words) - _PIECE + 1))
    if len(starts) > _WHOLE:
        starts = [place for place in starts if (len(words[place]) + 3 * ord(words[place][0]) + ord(words[place][-1])) % 4 == 0]
    return {words[place : place + _PIECE] for place in starts}
