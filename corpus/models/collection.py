from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from corpus.models.domain import Domain
from corpus.models.visibility import VisibleQuerySet


class CollectionQuerySet(VisibleQuerySet):
    """Collections of domains that a user may see."""

    domain_path = "domain__"


class Collection(models.Model):
    """A set of source files in a domain, converted and chunked with one set of settings."""

    class Ocr(models.TextChoices):
        """Which pages are read by optical character recognition."""

        AUTO = "auto", "only pages that need it"
        ALWAYS = "always", "every page"
        NEVER = "never", "no page"

    class Layout(models.TextChoices):
        """How the blocks of a PDF page are found."""

        GEOMETRIC = "geometric", "geometry of the text (no model)"
        DOCLING = "docling", "Docling's own models"

    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="collections")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80)
    description = models.TextField(blank=True)
    review_required = models.BooleanField(
        default=False, help_text="Wait for a curator to accept the metadata before a file can be found."
    )
    ocr = models.CharField(max_length=10, choices=Ocr.choices, default=Ocr.NEVER)
    layout = models.CharField(max_length=20, choices=Layout.choices, default=Layout.GEOMETRIC)
    max_tokens = models.PositiveIntegerField(
        default=256,
        validators=[MinValueValidator(32), MaxValueValidator(8192)],
        help_text="The longest chunk, in tokens of the embedder.",
    )
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[CollectionQuerySet] = CollectionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["domain", "name"]
        constraints = [
            models.UniqueConstraint(fields=["domain", "slug"], name="collection_slug_once_per_domain"),
            models.CheckConstraint(
                condition=models.Q(max_tokens__gte=32) & models.Q(max_tokens__lte=8192),
                name="collection_max_tokens_sensible",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.domain} / {self.name}"
