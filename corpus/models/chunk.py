from __future__ import annotations

from typing import ClassVar, Self

from django.contrib.postgres.indexes import GinIndex
from django.db import models

from corpus.models.source_file import SourceFile, State
from corpus.models.visibility import VisibleQuerySet


class ChunkQuerySet(VisibleQuerySet):
    """Chunks of domains that a user may see."""

    domain_path = "source_file__collection__domain__"

    def findable(self) -> Self:
        """Keep the chunks that may be found: enabled, of a file that is not removed."""
        return self.filter(enabled=True).exclude(source_file__state=State.REMOVED)


class Chunk(models.Model):
    """The unit that is embedded, ranked and cited."""

    source_file = models.ForeignKey(SourceFile, on_delete=models.CASCADE, related_name="chunks")
    ordinal = models.PositiveIntegerField(help_text="Position in the file, from 0.")
    text = models.TextField()
    headings = models.JSONField(default=list, blank=True, help_text="The heading chain, outermost first.")
    kind = models.CharField(max_length=20, default="text", help_text="text, table, code, caption or list")
    pages = models.JSONField(default=list, blank=True, help_text="Page numbers, from 1.")
    spans = models.JSONField(
        default=list,
        blank=True,
        help_text="Where parts of the text stand: start, end, boxes [page, left, top, right, bottom] in points, origin top left.",
    )
    token_count = models.PositiveIntegerField(default=0)
    metadata = models.JSONField(default=dict, blank=True, help_text="The folded metadata that filters see.")
    text_hash = models.CharField(max_length=64, help_text="SHA-256 of the text that is embedded, in hexadecimal.")
    enabled = models.BooleanField(default=True)
    edited = models.BooleanField(
        default=False, help_text="Written or changed by a person; kept when the file is converted again."
    )
    changed = models.DateTimeField(auto_now=True, db_index=True)

    objects: ClassVar[ChunkQuerySet] = ChunkQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["source_file", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["source_file", "ordinal"],
                name="chunk_ordinal_once_per_file",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="chunk_text_not_empty"),
        ]
        indexes = [GinIndex(fields=["metadata"], name="chunk_metadata_gin", opclasses=["jsonb_path_ops"])]

    def __str__(self) -> str:
        return f"{self.source_file} #{self.ordinal}"
