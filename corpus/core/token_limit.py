"""Split a text so that no piece is longer than a limit of tokens, at sentences, words, or, in unbroken strings, anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+")


def pieces_within(text: str, limit: int, *, count: Callable[[str], int]) -> list[str]:
    """Return the pieces of `text` in order, none empty, each of at most `limit` tokens.

    Args:
        text: any text.
        limit: at least 1.
        count: how many tokens a text has; a single character may count for more than the limit and then stands alone.

    >>> pieces_within("One two. Three four five.", 3, count=lambda part: len(part.split()))
    ['One two.', 'Three four five.']
    """
    if not text.strip():
        return []
    if count(text) <= limit:
        return [text.strip()]
    return list(_packed(_parts(text, limit, count), limit, count))


def _packed(parts: Iterator[str], limit: int, count: Callable[[str], int]) -> Iterator[str]:
    held = ""
    for part in parts:
        joined = f"{held} {part}" if held else part
        if held and count(joined) > limit:
            yield held
            held = part
        else:
            held = joined
    if held:
        yield held


def _parts(text: str, limit: int, count: Callable[[str], int]) -> Iterator[str]:
    for sentence in SENTENCE.split(text.strip()):
        if count(sentence) <= limit:
            yield sentence
        else:
            for word in sentence.split():
                yield from _word(word, limit, count)


def _word(word: str, limit: int, count: Callable[[str], int]) -> Iterator[str]:
    if len(word) <= 1 or count(word) <= limit:
        yield word
        return
    middle = len(word) // 2
    yield from _word(word[:middle], limit, count)
    yield from _word(word[middle:], limit, count)
