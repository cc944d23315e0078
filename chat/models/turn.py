from __future__ import annotations

from typing import ClassVar, Self

from django.db import models

from chat.models.session import Session
from corpus.models import Domain
from corpus.models.visibility import type_of_user


class TurnQuerySet(models.QuerySet["Turn"]):
    """Turns; they belong to the session's owner."""

    def visible_to(self, user: type_of_user) -> Self:
        """Keep the turns of the sessions that the user may see."""
        return self.filter(session__in=Session.objects.visible_to(user))

    def readable_by(self, user: type_of_user) -> Self:
        """Keep the turns whose answers the user may read: every domain that was searched is still visible to the user."""
        slugs = list(Domain.objects.visible_to(user).values_list("slug", flat=True))
        return self.visible_to(user).filter(domains__contained_by=slugs)


class Turn(models.Model):
    """A question with its answer; the run belongs to the server, so the row says where it stands."""

    class State(models.TextChoices):
        """Where the run stands."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        STOPPED = "stopped", "Stopped"
        FAILED = "failed", "Failed"
        INTERRUPTED = "interrupted", "Interrupted"

    class Kind(models.TextChoices):
        """What the answer rests on."""

        LIBRARY = "library", "From the library"
        EXTRACTS = "extracts", "Extracts from the library"
        GENERAL = "general", "Not from the library"
        REFUSED = "refused", "Outside the library"
        ABSTAINED = "abstained", "Not enough evidence"
        BEST_EFFORT = "best_effort", "Best effort"
        CLARIFY = "clarify", "Asks back"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    ordinal = models.PositiveIntegerField(help_text="Position in the session, from 1.")
    question = models.TextField()
    standalone_question = models.TextField(blank=True)
    domains = models.JSONField(default=list, blank=True, help_text="Slugs of the domains that were searched.")
    answer = models.TextField(blank=True)
    kind = models.CharField(max_length=20, choices=Kind.choices, blank=True)
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING, db_index=True)
    error = models.TextField(blank=True, help_text="For a failed turn: what happened and what to do.")
    stop_requested = models.BooleanField(default=False)
    trace = models.JSONField(default=dict, blank=True, help_text="How the evidence was found and judged.")
    reproduction = models.JSONField(default=dict, blank=True, help_text="Index versions, prompt hash, model, chunks.")
    heartbeat = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)
    feedback = models.SmallIntegerField(null=True, blank=True, help_text="1 good, -1 bad.")
    feedback_text = models.TextField(blank=True)

    objects: ClassVar[TurnQuerySet] = TurnQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["session", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["session", "ordinal"], name="turn_ordinal_once_per_session"),
            models.UniqueConstraint(
                fields=["session"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="turn_one_running_per_session",
            ),
            models.CheckConstraint(condition=~models.Q(question=""), name="turn_question_not_empty"),
        ]

    def __str__(self) -> str:
        return self.question[:80]
