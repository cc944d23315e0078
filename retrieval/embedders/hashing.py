"""The null embedder: words and their parts hashed into a vector. Needs no model; finds texts that share words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from corpus.core.text import words_of
from retrieval.core.vector import Vector, Vectors, unit


class HashingEmbedder:
    """Feature hashing: each word and each of its three-letter parts adds to one of D places, with a sign."""

    max_tokens = 8192
    tokenizer_path = ""
    cosine_range = (0.0, 0.6)

    def __init__(self, dimension: int = 256) -> None:
        self.dimension = dimension
        self.model = f"hashing-{dimension}"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed passages; shape (N, D)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit(np.stack([self._counts(text) for text in texts]))

    def embed_query(self, text: str) -> Vector:
        """Embed a question as a passage is embedded; shape (D,)."""
        first: Vector = self.embed_documents([text])[0]
        return first

    def count_tokens(self, text: str) -> int:
        """Count words."""
        return len(words_of(text))

    def _counts(self, text: str) -> Vector:
        counts = np.zeros(self.dimension, dtype=np.float32)
        for feature, weight in _features(text):
            place, sign = _place(feature)
            counts[place % self.dimension] += sign * weight
        return counts


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in words_of(text):
        yield word, 1.0
        for start in range(len(word) - 2):
            yield f"#{word[start : start + 3]}", 0.3


@lru_cache(maxsize=65_536)
def _place(feature: str) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
    return int.from_bytes(digest[:7], "big"), 1.0 if digest[7] & 1 else -1.0
