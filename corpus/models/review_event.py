from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from corpus.models.source_file import SourceFile
from corpus.models.visibility import VisibleQuerySet


class ReviewEventQuerySet(VisibleQuerySet):
    """Review events of domains that a user may see."""

    domain_path = "source_file__collection__domain__"


class ReviewEvent(models.Model):
    """Who changed what, when, from what to what."""

    source_file = models.ForeignKey(SourceFile, on_delete=models.CASCADE, related_name="review_events")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="review_events"
    )
    verb = models.CharField(max_length=40)
    heading = models.CharField(max_length=1000, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[ReviewEventQuerySet] = ReviewEventQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.verb} {self.source_file} ({self.actor or 'Klea'})"
