from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from corpus.models import Domain
from corpus.models.visibility import type_of_user


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Keys; they belong to their owner."""

    def visible_to(self, user: type_of_user) -> Self:
        """Keep the user's own keys."""
        return self.filter(owner_id=user.pk) if user.is_authenticated and user.is_active else self.none()


class ApiKey(models.Model):
    """A key for programs: only its hash is kept; it acts with its owner's present rights, within its domains."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12, unique=True, help_text="The first characters, to tell keys apart.")
    hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the key, in hexadecimal.")
    domains = models.ManyToManyField(Domain, blank=True, help_text="Empty: all domains that the owner may see.")
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    last_used = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[ApiKeyQuerySet] = ApiKeyQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["owner", "name"]
        verbose_name = "API key"

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
