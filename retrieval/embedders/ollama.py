"""Embeddings by an Ollama server: any embedding model that it holds."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from corpus.core.text import words_of
from retrieval.core.vector import Vector, Vectors, unit
from retrieval.embedder import EmbedderUnavailable

_BATCH: Final = 32


class OllamaEmbedder:
    """A model of an Ollama server. Its tokenizer is not known here, so tokens are estimated from words."""

    tokenizer_path = ""

    def __init__(
        self,
        model: str = "nomic-embed-text",
        *,
        host: str = "http://127.0.0.1:11434",
        query_prefix: str = "",
        document_prefix: str = "",
        max_tokens: int = 512,
        timeout_s: float = 60.0,
        cosine_range: tuple[float, float] = (0.3, 0.8),
    ) -> None:
        self._name = model
        self.model = f"{model}/ollama"
        self.max_tokens = max_tokens
        self.cosine_range = cosine_range
        self._host = host
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix
        self._timeout_s = timeout_s
        self._loading = threading.Lock()

    @cached_property
    def dimension(self) -> int:
        """D, found by embedding a word."""
        return int(self._ask(["word"]).shape[1])

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed passages; shape (N, D)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        told = [self._document_prefix + text for text in texts]
        parts = [self._ask(told[start : start + _BATCH]) for start in range(0, len(told), _BATCH)]
        return unit(np.concatenate(parts))

    def embed_query(self, text: str) -> Vector:
        """Embed a question; shape (D,)."""
        first: Vector = unit(self._ask([self._query_prefix + text]))[0]
        return first

    def count_tokens(self, text: str) -> int:
        """Estimate tokens: four for three words."""
        return -(-len(words_of(text)) * 4 // 3)

    def _ask(self, texts: list[str]) -> Vectors:
        import httpx
        import ollama

        try:
            answer = self._client.embed(model=self._name, input=texts, truncate=True)
        except (httpx.HTTPError, ConnectionError) as error:
            raise EmbedderUnavailable(f"Ollama at {self._host} does not answer.", "Start it with: ollama serve.") from error
        except ollama.ResponseError as error:
            raise EmbedderUnavailable(
                f"Ollama refused to embed with {self._name}: {error.error}.", f"Get the model with: ollama pull {self._name}."
            ) from error
        return np.asarray(answer.embeddings, dtype=np.float32)

    @cached_property
    def _client(self) -> Any:
        import ollama

        with self._loading:
            return ollama.Client(host=self._host, timeout=self._timeout_s)
