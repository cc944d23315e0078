from __future__ import annotations

from typing import ClassVar

from django.db import models

from corpus.models import Collection
from corpus.models.visibility import VisibleQuerySet


class StoreQuerySet(VisibleQuerySet):
    """Stores of domains that a user may see."""

    domain_path = "collection__domain__"


class Store(models.Model):
    """An index over a collection; it records what it was built with and refuses what doesn't fit."""

    class Kind(models.TextChoices):
        """What it ranks by."""

        VECTOR = "vector", "vector (meaning)"
        BM25 = "bm25", "BM25 (words)"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="stores")
    name = models.SlugField(max_length=80)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    backend = models.CharField(max_length=60, help_text="A key of VECTOR_STORES or KEYWORD_STORES in the settings.")
    default_k = models.PositiveIntegerField(null=True, blank=True, help_text="Hits of the first round; empty: the site's.")
    k_max = models.PositiveIntegerField(null=True, blank=True, help_text="Most hits of any round; empty: the site's.")
    k_inc = models.PositiveIntegerField(null=True, blank=True, help_text="Growth from round to round; empty: the site's.")
    model = models.CharField(max_length=200, blank=True, help_text="The embedding model that the vectors come from.")
    dimension = models.PositiveIntegerField(null=True, blank=True)
    analyzer = models.CharField(max_length=60, blank=True, help_text="The keyword analyser that the words come from.")
    settings_hash = models.CharField(max_length=64, blank=True)
    enabled = models.BooleanField(default=True, help_text="Off: built and kept up to date, but not searched.")
    version = models.PositiveBigIntegerField(default=0, help_text="Counts the changes of its contents.")
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[StoreQuerySet] = StoreQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["collection", "kind", "name"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "name"], name="store_name_once_per_collection"),
            models.CheckConstraint(condition=models.Q(kind__in=["vector", "bm25"]), name="store_kind_known"),
            models.CheckConstraint(
                condition=models.Q(dimension__isnull=True) | (models.Q(dimension__gte=1) & models.Q(dimension__lte=4000)),
                name="store_dimension_can_be_indexed",
                violation_error_message="pgvector can index at most 4,000 dimensions. Choose a model with fewer.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.collection} / {self.name}"
