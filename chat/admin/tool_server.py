"""Tool servers of domains: set up by managers."""

from __future__ import annotations

from django.contrib import admin

from chat.models import ToolServer
from corpus.admin.by_role import ByRole
from corpus.models import Role


@admin.register(ToolServer)
class ToolServerAdmin(ByRole):
    """Tool servers."""

    role_to_change = Role.MANAGER
    role_to_add = Role.MANAGER
    list_display = ("name", "domain", "transport", "address", "read_only", "enabled")
    list_filter = ("enabled", "transport", ("domain", admin.RelatedOnlyFieldListFilter))
    search_fields = ("name", "address")
