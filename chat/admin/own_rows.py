"""Admin pages of rows that belong to a person: everybody of the staff sees their own, and nobody changes them by hand."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest


class OwnRows(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shows what `visible_to` allows, read-only."""

    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Keep the rows that the user may see."""
        rows: Any = super().get_queryset(request)
        seen: QuerySet[Any] = rows.visible_to(request.user)
        return seen

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let every member of the staff in; the rows decide."""
        return is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows that are not the user's own are not found at all."""
        return is_staff(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows come from conversations."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody rewrites what was said."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows go with their session."""
        return False


def is_staff(request: HttpRequest) -> bool:
    """Say whether the user may use the admin."""
    return bool(request.user.is_active and request.user.is_staff)
