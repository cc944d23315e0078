"""Who may do what: the one rule of the house, beside `visible_to` on each queryset.

What one may not see doesn't exist (404); what one sees but may not do is refused (403).
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import Max, Q, QuerySet
from django.http import Http404

from corpus.models import Domain, Membership, Role
from corpus.models.visibility import scope_of, type_of_user


def role_of(user: type_of_user, domain: Domain) -> int:
    """Return the user's highest role in `domain`, 0 for none; a superuser is a manager everywhere."""
    if not (user.is_authenticated and user.is_active):
        return 0
    scope = scope_of(user)
    if scope is not None and domain.pk not in scope:
        return 0
    if getattr(user, "is_superuser", False):
        return Role.MANAGER
    found = Membership.objects.filter(Q(user_id=user.pk) | Q(group__user=user.pk), domain=domain).aggregate(top=Max("role"))
    return int(found["top"] or 0)


def require(user: type_of_user, domain: Domain, role: Role) -> None:
    """Pass if `user` has at least `role` in `domain`.

    Raises:
        Http404: the user may not even see the domain.
        PermissionDenied: the user sees it, but has a lower role.
    """
    held = role_of(user, domain)
    if held == 0:
        raise Http404("There is no such domain.")
    if held < role:
        raise PermissionDenied(f"This needs the role {role.name.lower()} in {domain.name}. Ask a manager of the domain for it.")


def domains_with_role(user: type_of_user, role: Role) -> QuerySet[Domain]:
    """Return the domains in which `user` has at least `role`."""
    if not (user.is_authenticated and user.is_active):
        return Domain.objects.none()
    domains = Domain.objects.visible_to(user)
    if getattr(user, "is_superuser", False):
        return domains
    held = Membership.objects.filter(Q(user_id=user.pk) | Q(group__user=user.pk), role__gte=role)
    return domains.filter(pk__in=held.values("domain_id"))
