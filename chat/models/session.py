from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from corpus.models import Domain
from corpus.models.visibility import scope_of, type_of_user


class SessionQuerySet(models.QuerySet["Session"]):
    """Sessions; a session belongs to the person who asked."""

    def visible_to(self, user: type_of_user) -> Self:
        """Keep the user's own sessions; a key that is limited to domains sees those that are fixed to these."""
        if not (user.is_authenticated and user.is_active):
            return self.none()
        mine = self.filter(owner_id=user.pk)
        scope = scope_of(user)
        if scope is None:
            return mine
        fixed = Session.domains.through.objects.filter(session_id=models.OuterRef("pk"))
        return mine.filter(models.Exists(fixed), ~models.Exists(fixed.exclude(domain_id__in=scope)))


class Session(models.Model):
    """A conversation: its turns, the domains fixed by hand, and the rolling summary of what was said."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_sessions")
    title = models.CharField(max_length=200, blank=True)
    domains = models.ManyToManyField(
        Domain, blank=True, related_name="chat_sessions", help_text="Fixed by hand; empty lets the classifier choose."
    )
    models_by_role = models.JSONField(default=dict, blank=True, help_text="Model chosen for a role in this session.")
    summary = models.TextField(blank=True)
    summarised_turns = models.PositiveIntegerField(default=0, help_text="How many turns the summary covers.")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects: ClassVar[SessionQuerySet] = SessionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-updated"]
        indexes = [models.Index(fields=["owner", "-updated"])]

    def __str__(self) -> str:
        return self.title or f"Session {self.pk}"
