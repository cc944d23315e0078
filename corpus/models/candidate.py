from __future__ import annotations

from typing import ClassVar

from django.db import models

from corpus.models.metadata_entry import MetadataEntry
from corpus.models.visibility import VisibleQuerySet


class CandidateQuerySet(VisibleQuerySet):
    """Candidates of domains that a user may see."""

    domain_path = "entry__source_file__collection__domain__"


class Candidate(models.Model):
    """One proposed value for one field, with the tier that proposed it, its evidence and its time."""

    entry = models.ForeignKey(MetadataEntry, on_delete=models.CASCADE, related_name="candidates")
    field = models.CharField(max_length=80)
    value = models.JSONField()
    tier = models.CharField(max_length=40, help_text="person, registrar, pdf-info, docling, layout, text")
    evidence = models.JSONField(default=dict, blank=True, help_text="Page and box, or address, or the matched words.")
    score = models.FloatField(default=0.5, help_text="0 to 1 within its tier.")
    doubt = models.CharField(
        max_length=300, blank=True, help_text="Why it is not to be trusted; empty when nothing speaks against it."
    )
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[CandidateQuerySet] = CandidateQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["entry", "field", "-score"]
        constraints = [
            models.CheckConstraint(condition=models.Q(score__gte=0) & models.Q(score__lte=1), name="candidate_score_in_0_1"),
        ]
        indexes = [models.Index(fields=["entry", "field"])]

    def __str__(self) -> str:
        return f"{self.field}: {self.value} ({self.tier})"
