from __future__ import annotations

from typing import ClassVar, Self

from django.db import models

from chat.models.turn import Turn
from corpus.models import Chunk
from corpus.models.visibility import member_of, type_of_user


class CitationQuerySet(models.QuerySet["Citation"]):
    """Citations; seen by the session's owner, as long as the owner may see the source."""

    def visible_to(self, user: type_of_user) -> Self:
        """Keep citations of the user's own turns whose source the user may still see."""
        if not (user.is_authenticated and user.is_active):
            return self.none()
        return self.filter(turn__in=Turn.objects.visible_to(user)).filter(member_of(user, "domain__"))


class Citation(models.Model):
    """A chunk that an answer names, with the exact words and where they stand."""

    class Support(models.TextChoices):
        """Does the source say it?"""

        VERIFIED = "verified", "Verified: the words stand in the source"
        SUPPORTED = "supported", "Supported"
        WEAK = "weak", "Weakly supported"
        UNSUPPORTED = "unsupported", "Not supported"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="citations")
    marker = models.PositiveIntegerField(help_text="The n of [n]; given when the prompt is built, never changed.")
    chunk = models.ForeignKey(Chunk, on_delete=models.SET_NULL, null=True, blank=True, related_name="citations")
    domain = models.ForeignKey("corpus.Domain", on_delete=models.CASCADE, related_name="citations")
    snapshot = models.JSONField(default=dict, help_text="Text, headings, metadata and file of the chunk as cited.")
    sentence = models.TextField(blank=True, help_text="The sentence of the answer.")
    quote = models.TextField(blank=True, help_text="The exact words in the source.")
    pages = models.JSONField(default=list, blank=True)
    boxes = models.JSONField(default=list, blank=True, help_text="[page, left, top, right, bottom] in points, origin top left.")
    support = models.CharField(max_length=12, choices=Support.choices, default=Support.WEAK)
    position = models.PositiveIntegerField(default=0, help_text="Order of the cited sentence in the answer, from 0.")

    objects: ClassVar[CitationQuerySet] = CitationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["turn", "position", "marker"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "position", "marker"], name="citation_once_per_sentence_and_marker"),
            models.CheckConstraint(condition=models.Q(marker__gte=1), name="citation_marker_from_1"),
        ]

    def __str__(self) -> str:
        return f"[{self.marker}] {self.quote[:60]}"
