"""Admin pages of rows that belong to a domain: the role in the domain decides, as at every other door."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import ForeignKey, QuerySet
from django.http import HttpRequest

from corpus.access import domains_with_role, role_of
from corpus.models import Domain, Role
from corpus.models.visibility import VisibleQuerySet


class ByRole(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shows what `visible_to` allows, and lets change what the role in the row's domain allows.

    Attributes:
        role_to_change: the least role in the domain that may change rows; None: nobody changes them here.
        role_to_add: likewise for adding and deleting.
    """

    role_to_change: Role | None = None
    role_to_add: Role | None = None
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Keep the rows that the user may see."""
        rows = super().get_queryset(request)
        return rows.visible_to(request.user) if isinstance(rows, VisibleQuerySet) else rows

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let every member of the staff in; the rows decide."""
        return self._is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the user sees the row."""
        return self._is_staff(request) and (obj is None or role_of(request.user, self.domain_of(obj)) > 0)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the user's role is high enough to change the row."""
        return self._may(request, obj, self.role_to_change)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the user may add rows anywhere."""
        return self._may(request, None, self.role_to_add)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the user's role is high enough to delete the row."""
        return self._may(request, obj, self.role_to_add)

    def formfield_for_foreignkey(self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only rows of domains in which the user may make such a change."""
        target: Any = db_field.remote_field.model
        rows = target._default_manager.all()
        if isinstance(rows, VisibleQuerySet):
            kwargs["queryset"] = self._offered(rows, request)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def domain_of(self, obj: Any) -> Domain:
        """Return the domain that a row belongs to."""
        path = type(obj).objects.all().domain_path.removesuffix("__")
        found: Any = obj
        for name in path.split("__") if path else []:
            found = getattr(found, name)
        assert isinstance(found, Domain)  # noqa: S101 -- `domain_path` leads to it
        return found

    def _offered(self, rows: VisibleQuerySet, request: HttpRequest) -> QuerySet[Any]:
        role = self.role_to_change or self.role_to_add or Role.READER
        path = f"{rows.domain_path}in" if rows.domain_path else "pk__in"
        return rows.filter(**{path: domains_with_role(request.user, role)})

    def _may(self, request: HttpRequest, obj: Any, role: Role | None) -> bool:
        if role is None or not self._is_staff(request):
            return False
        if obj is None:
            return domains_with_role(request.user, role).exists() or bool(request.user.is_superuser)
        return role_of(request.user, self.domain_of(obj)) >= role

    @staticmethod
    def _is_staff(request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_staff)
