from __future__ import annotations

from typing import ClassVar, Self

from django.db import models

from chat.models.turn import Turn
from corpus.models.visibility import type_of_user


class TurnEventQuerySet(models.QuerySet["TurnEvent"]):
    """Events; they belong to the session's owner."""

    def visible_to(self, user: type_of_user) -> Self:
        """Keep the events of turns whose answers the user may read."""
        return self.filter(turn__in=Turn.objects.readable_by(user))


class TurnEvent(models.Model):
    """One event of a turn's stream; `seq` counts from 1 without gaps."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=20)
    payload = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[TurnEventQuerySet] = TurnEventQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["turn", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "seq"], name="turn_event_seq_once_per_turn"),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="turn_event_seq_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"
