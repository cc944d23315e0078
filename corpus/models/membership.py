from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models

from corpus.models.domain import Domain
from corpus.models.visibility import VisibleQuerySet


class Role(models.IntegerChoices):
    """What a member may do; a higher role includes the lower ones."""

    READER = 10, "reader: ask and see sources"
    CURATOR = 20, "curator: upload and review"
    MANAGER = 30, "manager: stores, members, settings"


class MembershipQuerySet(VisibleQuerySet):
    """Memberships of domains that a user may see."""

    domain_path = "domain__"


class Membership(models.Model):
    """A user's or a group's role in a domain."""

    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="memberships"
    )
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, blank=True, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.READER)

    objects: ClassVar[MembershipQuerySet] = MembershipQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["domain", "-role"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user__isnull=False, group__isnull=True) | models.Q(user__isnull=True, group__isnull=False),
                name="membership_of_a_user_or_a_group",
                violation_error_message="Choose a user or a group, one of the two.",
            ),
            models.UniqueConstraint(fields=["domain", "user"], name="membership_once_per_user"),
            models.UniqueConstraint(fields=["domain", "group"], name="membership_once_per_group"),
            models.CheckConstraint(condition=models.Q(role__in=[10, 20, 30]), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user or self.group}: {Role(self.role).name.lower()} of {self.domain}"
