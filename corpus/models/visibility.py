"""The one permission rule, as querysets: what a user may see follows from membership of the domain."""

from __future__ import annotations

from typing import Any, Self

from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import Q

type_of_user = AbstractBaseUser | AnonymousUser


def member_of(user: type_of_user, prefix: str) -> Q:
    """Return the condition under which `user` is a member of the domain that `prefix` leads to.

    Args:
        user: anybody; an anonymous or inactive user matches nothing.
        prefix: the lookup path from the row to its domain, such as ``collection__domain__``; empty on a domain.
    """
    if not user.is_active or not user.is_authenticated:
        return Q(pk__in=[])
    path = f"{prefix[:-2]}_id__in" if prefix else "pk__in"
    scope = scope_of(user)
    within = Q() if scope is None else Q(**{path: scope})
    if getattr(user, "is_superuser", False):
        return within
    domains = (
        apps.get_model("corpus", "Membership")
        ._default_manager.filter(Q(user_id=user.pk) | Q(group__user=user.pk))
        .values("domain_id")
    )
    return within & Q(**{path: domains})


def scope_of(user: type_of_user) -> frozenset[int] | None:
    """Return the ids of the domains that the user's key is limited to; None for no limit.

    Whoever comes in by an API key carries its scope, so that the rule of `visible_to` holds the same way at every door.
    """
    return getattr(user, "domain_scope", None)


class VisibleQuerySet(models.QuerySet[Any]):
    """Rows that belong to a domain."""

    domain_path = ""

    def visible_to(self, user: type_of_user) -> Self:
        """Keep the rows of domains that `user` is a member of."""
        return self.filter(member_of(user, self.domain_path))
