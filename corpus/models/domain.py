from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from corpus.models.visibility import VisibleQuerySet


class DomainQuerySet(VisibleQuerySet):
    """Domains, as far as a user may see them."""

    domain_path = ""


class Domain(models.Model):
    """A knowledge area: what the classifier reads, who is a member, which fields filter, which collections it holds."""

    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(max_length=80, unique=True, help_text="Used in addresses and by the API.")
    description = models.TextField(
        blank=True, help_text="What questions belong here, in a sentence or two. The classifier decides by this text."
    )
    example_questions = models.TextField(
        blank=True, help_text="Questions that newcomers are offered, one a line. Without any, some are made from titles."
    )
    recency_weight = models.FloatField(
        default=0.1,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text="How much newer work is preferred among equally relevant passages, 0 (not at all) to 1.",
    )
    relax_filters = models.BooleanField(
        default=True, help_text="When an automatic filter matches nothing, search again without it and say so."
    )
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[DomainQuerySet] = DomainQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(recency_weight__gte=0) & models.Q(recency_weight__lte=1),
                name="domain_recency_weight_in_0_1",
            )
        ]

    def __str__(self) -> str:
        return self.name
