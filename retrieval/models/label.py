from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.db import models

from corpus.models import Collection
from corpus.models.visibility import VisibleQuerySet


class LabelQuerySet(VisibleQuerySet):
    """Labels of domains that a user may see."""

    domain_path = "collection__domain__"


class Label(models.Model):
    """One metadata that chunks of a collection carry, held once; filters are decided here and reach the stores as keys.

    The database adds the row with the first chunk that carries it (a trigger); `facets` follow when a filter first needs them.
    """

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="labels")
    key = models.UUIDField(help_text="MD5 of the metadata as PostgreSQL writes it.")
    metadata = models.JSONField()
    facets = models.JSONField(null=True, help_text="The values as filters compare them; empty until a filter needs them.")

    objects: ClassVar[LabelQuerySet] = LabelQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "key"], name="label_once_per_collection")]
        indexes = [
            GinIndex(fields=["facets"], name="label_facets_gin", opclasses=["jsonb_path_ops"]),
            models.Index(fields=["collection"], condition=models.Q(facets__isnull=True), name="label_without_facets"),
        ]

    def __str__(self) -> str:
        return str(self.key)
