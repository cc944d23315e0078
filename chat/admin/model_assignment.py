"""Which model does which role; a button tries one."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from chat.admin.own_rows import is_staff
from chat.model_choice import try_model
from chat.models import ModelAssignment
from corpus.access import domains_with_role, role_of
from corpus.models import Domain, Role


class AssignmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """An assignment whose provider is one of the settings."""

    provider = forms.ChoiceField(choices=lambda: [(name, name) for name in sorted(settings.PROVIDERS)])

    class Meta:
        model = ModelAssignment
        fields = ("domain", "role", "provider", "model", "fallback_model")


@admin.register(ModelAssignment)
class ModelAssignmentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Superusers decide for the site, managers for their domains."""

    form = AssignmentForm
    list_display = ("role", "scope", "provider", "model", "fallback_model")
    list_filter = ("role", "provider")
    actions = ("try_it",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Keep the site's and those of domains that the user sees."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.filter(Q(domain__isnull=True) | Q(domain__in=Domain.objects.visible_to(request.user)))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let every member of the staff look."""
        return is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let every member of the staff look."""
        return is_staff(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let managers assign."""
        manages = domains_with_role(request.user, Role.MANAGER).exists()
        return self._is_operator(request) or (is_staff(request) and manages)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let superusers change the site's, managers their domain's."""
        if obj is None or self._is_operator(request):
            return self.has_add_permission(request)
        return is_staff(request) and obj.domain is not None and role_of(request.user, obj.domain) >= Role.MANAGER

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As change."""
        return self.has_change_permission(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the domains that the user manages; the whole site to superusers only."""
        field = super().formfield_for_foreignkey(
            db_field, request, **{**kwargs, "queryset": domains_with_role(request.user, Role.MANAGER)}
        )
        if field is not None:
            field.required = not self._is_operator(request)
        return field

    @admin.action(description="Try the chosen models")
    def try_it(self, request: HttpRequest, rows: QuerySet[ModelAssignment]) -> None:
        """Ask each model for a word and tell how it went."""
        for row in rows:
            worked, told = async_to_sync(try_model)(row.provider, row.model)
            self.message_user(request, f"{row}: {told}", messages.SUCCESS if worked else messages.ERROR)

    @admin.display(description="For", ordering="domain")
    def scope(self, row: ModelAssignment) -> str:
        """Return whom the assignment is for."""
        return row.domain.name if row.domain else "the whole site"

    @staticmethod
    def _is_operator(request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)
