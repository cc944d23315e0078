from __future__ import annotations

from typing import ClassVar

from django.db import models

from corpus.models.source_file import SourceFile
from corpus.models.visibility import VisibleQuerySet


class MetadataEntryQuerySet(VisibleQuerySet):
    """Metadata entries of domains that a user may see."""

    domain_path = "source_file__collection__domain__"


class MetadataEntry(models.Model):
    """What is known of a source file (heading ``DEFAULT``) or of a heading chain in it.

    `values` is what is shown, filtered and exported; it follows from the candidates, save where a person decided (`decided`).
    """

    DEFAULT = "DEFAULT"

    class Review(models.TextChoices):
        """How far a curator is with it."""

        PROPOSED = "proposed", "Proposed"
        ACCEPTED = "accepted", "Accepted"
        SKIPPED = "skipped", "Skipped"

    source_file = models.ForeignKey(SourceFile, on_delete=models.CASCADE, related_name="metadata_entries")
    heading = models.CharField(max_length=1000, default=DEFAULT, help_text="DEFAULT, or a heading chain joined by ' > '.")
    values = models.JSONField(default=dict, blank=True)
    decided = models.JSONField(default=dict, blank=True, help_text="Fields that a person decided: who and when.")
    findings = models.JSONField(default=list, blank=True, help_text="What the lint rules say of the values.")
    doubt = models.FloatField(default=1.0, help_text="0 (sure) to 1; the review queue is ordered by it.")
    review = models.CharField(max_length=10, choices=Review.choices, default=Review.PROPOSED, db_index=True)
    version = models.PositiveIntegerField(default=1, help_text="Counts the changes; an edit of an old version is refused.")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects: ClassVar[MetadataEntryQuerySet] = MetadataEntryQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["source_file", "heading"]
        verbose_name_plural = "metadata entries"
        constraints = [
            models.UniqueConstraint(fields=["source_file", "heading"], name="metadata_entry_once_per_heading"),
            models.CheckConstraint(condition=models.Q(doubt__gte=0) & models.Q(doubt__lte=1), name="metadata_entry_doubt_in_0_1"),
        ]
        indexes = [models.Index(fields=["review", "-doubt"])]

    def __str__(self) -> str:
        return f"{self.source_file}: {self.heading}"
