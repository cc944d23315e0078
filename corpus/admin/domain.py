"""Domains with their members and filter fields."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from corpus.admin.by_role import ByRole
from corpus.models import Domain, FilterField, Membership, Role, State


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    """Who may do what in the domain."""

    model = Membership
    extra = 0
    autocomplete_fields: ClassVar[tuple[str, ...]] = ("user", "group")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the domain."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the domain: its page is open for change to managers only."""
        return True

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the domain."""
        return True

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As the domain."""
        return True


class FilterFieldInline(MembershipInline):
    """Which metadata a generated query may constrain."""

    model = FilterField  # type: ignore[assignment]
    autocomplete_fields = ()


@admin.register(Domain)
class DomainAdmin(ByRole):
    """Domains."""

    role_to_change = Role.MANAGER
    list_display = ("name", "slug", "collection_count", "file_count", "ready_count", "recency_weight")
    search_fields = ("name", "slug", "description")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline, FilterFieldInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Count collections and files."""
        held = ~Q(collections__source_files__state=State.REMOVED)
        ready = Q(collections__source_files__state=State.READY)
        counted: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                collections_held=Count("collections", distinct=True),
                files_held=Count("collections__source_files", filter=held, distinct=True),
                files_ready=Count("collections__source_files", filter=ready, distinct=True),
            )
        )
        return counted

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let superusers make domains."""
        return bool(request.user.is_active and request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let superusers delete domains, with all that is in them."""
        return bool(request.user.is_active and request.user.is_superuser)

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """Show members to managers only."""
        return self.inlines if obj is None or self.has_change_permission(request, obj) else ()

    @admin.display(description="Collections", ordering="collections_held")
    def collection_count(self, domain: Any) -> int:
        """Return how many collections there are."""
        return int(domain.collections_held)

    @admin.display(description="Files", ordering="files_held")
    def file_count(self, domain: Any) -> int:
        """Return how many files are held."""
        return int(domain.files_held)

    @admin.display(description="Ready", ordering="files_ready")
    def ready_count(self, domain: Any) -> int:
        """Return how many files are ready."""
        return int(domain.files_ready)


@admin.register(Membership)
class MembershipAdmin(ByRole):
    """Memberships, seen across domains."""

    role_to_change = Role.MANAGER
    role_to_add = Role.MANAGER
    list_display = ("domain", "user", "group", "role")
    list_filter = ("role", ("domain", admin.RelatedOnlyFieldListFilter))
    search_fields = ("user__username", "group__name", "domain__name")
    autocomplete_fields = ("user", "group")
    list_select_related = ("domain", "user", "group")


@admin.register(FilterField)
class FilterFieldAdmin(ByRole):
    """Filter fields, seen across domains."""

    role_to_change = Role.MANAGER
    role_to_add = Role.MANAGER
    list_display = ("name", "domain", "value_type", "description")
    list_filter = ("value_type", ("domain", admin.RelatedOnlyFieldListFilter))
    search_fields = ("name", "description")
    list_select_related = ("domain",)
