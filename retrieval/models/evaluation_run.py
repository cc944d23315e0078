from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from corpus.models import Domain
from corpus.models.visibility import VisibleQuerySet


class EvaluationRunQuerySet(VisibleQuerySet):
    """Evaluation runs of domains that a user may see."""

    domain_path = "domain__"


class EvaluationRun(models.Model):
    """Measures of one configuration over a domain's golden questions, kept to compare with."""

    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="evaluation_runs")
    label = models.CharField(max_length=120, blank=True)
    configuration = models.JSONField(default=dict)
    measures = models.JSONField(default=dict, help_text="Measure to mean, low, high.")
    per_question = models.JSONField(default=dict)
    question_count = models.PositiveIntegerField(default=0)
    took_ms = models.PositiveIntegerField(default=0)
    live = models.BooleanField(default=False, help_text="Measured the configuration that serves.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[EvaluationRunQuerySet] = EvaluationRunQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"{self.domain} {self.created:%Y-%m-%d %H:%M} {self.label}"
