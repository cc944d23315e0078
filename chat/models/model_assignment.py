from __future__ import annotations

from django.db import models

from corpus.models import Domain


class ModelAssignment(models.Model):
    """Which provider and model does a role, for the site or for one domain's team."""

    class Role(models.TextChoices):
        """The job a model does."""

        GUARD = "guard", "guard"
        CHAT = "chat", "chat"
        CLASSIFY = "classify", "classify"
        EVALUATE = "evaluate", "evaluate"
        SUMMARISE = "summarise", "summarise"

    domain = models.ForeignKey(
        Domain,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="model_assignments",
        help_text="Empty: the whole site.",
    )
    role = models.CharField(max_length=12, choices=Role.choices)
    provider = models.CharField(max_length=40, help_text="A key of PROVIDERS in the settings.")
    model = models.CharField(max_length=120, blank=True)
    fallback_model = models.CharField(max_length=120, blank=True, help_text="Asked when the first is overloaded.")
    options = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["domain", "role"]
        constraints = [
            models.UniqueConstraint(fields=["domain", "role"], name="model_assignment_once_per_role", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.provider} {self.model}"
