from __future__ import annotations

from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models

from corpus.models.domain import Domain
from corpus.models.visibility import VisibleQuerySet


class FilterFieldQuerySet(VisibleQuerySet):
    """Filter fields of domains that a user may see."""

    domain_path = "domain__"


class FilterField(models.Model):
    """A metadata field that a generated query may constrain."""

    class ValueType(models.TextChoices):
        """How values are compared."""

        STRING = "string", "text"
        INT = "int", "whole number"
        FLOAT = "float", "number"
        LIST = "list", "list of texts"

    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="filter_fields")
    name = models.CharField(
        max_length=80,
        validators=[RegexValidator(r"^[a-z][a-z0-9_]*\Z", "Use a small letter, then small letters, digits and underscores.")],
    )
    description = models.TextField(blank=True, help_text="When to use it, in a sentence. The query generator reads this.")
    value_type = models.CharField(max_length=10, choices=ValueType.choices, default=ValueType.STRING)

    objects: ClassVar[FilterFieldQuerySet] = FilterFieldQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["domain", "name"]
        constraints = [
            models.UniqueConstraint(fields=["domain", "name"], name="filter_field_once_per_domain"),
            models.CheckConstraint(
                condition=models.Q(value_type__in=["string", "int", "float", "list"]),
                name="filter_field_value_type_known",
            ),
            models.CheckConstraint(condition=~models.Q(name="search_query"), name="filter_field_name_not_reserved"),
        ]

    def __str__(self) -> str:
        return self.name
