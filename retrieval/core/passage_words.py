"""The folded words of passages, kept for a while: several steps of a search read them."""

from __future__ import annotations

from functools import lru_cache

from corpus.core.text import words_of


@lru_cache(maxsize=4096)
def passage_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a passage, in order."""
    return tuple(words_of(text))
