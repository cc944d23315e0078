from __future__ import annotations

from typing import ClassVar

from django.db import models

from corpus.models.source_file import SourceFile
from corpus.models.visibility import VisibleQuerySet


class Outcome(models.TextChoices):
    """How an attempt ended."""

    RUNNING = "running", "Running"
    GOOD = "good", "Good"
    PARTIAL = "partial", "Partial"
    HALTED = "halted", "Waits for a person"
    FAILED = "failed", "Failed"
    ABANDONED = "abandoned", "Abandoned"


class StageAttemptQuerySet(VisibleQuerySet):
    """Attempts on files of domains that a user may see."""

    domain_path = "source_file__collection__domain__"


class StageAttempt(models.Model):
    """One try of one stage on one file; a stage whose last good attempt has the same key is skipped."""

    source_file = models.ForeignKey(SourceFile, on_delete=models.CASCADE, related_name="attempts")
    stage = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    key = models.CharField(max_length=64, help_text="Hash of the bytes, the stage's version and its settings.")
    outcome = models.CharField(max_length=12, choices=Outcome.choices, default=Outcome.RUNNING)
    detail = models.JSONField(default=dict, blank=True)
    started = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)
    took_ms = models.PositiveIntegerField(null=True, blank=True)
    peak_bytes = models.BigIntegerField(null=True, blank=True, help_text="Peak memory of the child process, where one ran.")

    objects: ClassVar[StageAttemptQuerySet] = StageAttemptQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-started"]
        indexes = [models.Index(fields=["source_file", "stage", "-started"])]
        constraints = [
            models.UniqueConstraint(
                fields=["source_file"], condition=models.Q(outcome="running"), name="stage_attempt_one_running_per_file"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage} of {self.source_file}: {self.get_outcome_display()}"
