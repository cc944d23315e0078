from __future__ import annotations

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField

from corpus.models import Chunk
from corpus.models.visibility import VisibleQuerySet
from retrieval.models.store import Store


class EmbeddingQuerySet(VisibleQuerySet):
    """Embeddings of domains that a user may see."""

    domain_path = "store__collection__domain__"


class Embedding(models.Model):
    """A chunk's vector in a store, in half precision; of any dimension, so each store has its own typed expression index."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="embeddings")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="embeddings")
    text_hash = models.CharField(max_length=64, help_text="Of the text that was embedded.")
    vector = HalfVectorField()

    objects: ClassVar[EmbeddingQuerySet] = EmbeddingQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [models.UniqueConstraint(fields=["store", "chunk"], name="embedding_once_per_store_and_chunk")]

    def __str__(self) -> str:
        return f"{self.store_id}:{self.chunk_id}"
