"""The ledger: every model call, with sums by person, role and model."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from chat.admin.own_rows import OwnRows
from chat.models import Usage

DAYS = 30


@admin.register(Usage)
class UsageAdmin(OwnRows):
    """Model calls; superusers see everybody's, others their own."""

    list_display = (
        "at",
        "user",
        "role",
        "provider",
        "model",
        "tokens_in",
        "tokens_cached",
        "tokens_out",
        "took_ms",
        "price",
        "error",
    )
    list_filter = ("role", "provider", "model")
    date_hierarchy = "at"
    list_select_related = ("user",)
    change_list_template = "admin/chat/usage/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Keep what the user may see."""
        rows = Usage.objects.all()
        return rows if request.user.is_superuser else rows.filter(user_id=request.user.pk or 0)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Add the sums of the last days."""
        return super().changelist_view(request, {**(extra_context or {}), "sums": self.sums(request), "days": DAYS})

    def sums(self, request: HttpRequest) -> QuerySet[Any, Any]:
        """Return calls, tokens and price of the last days by person and model, the dearest first."""
        recent = self.get_queryset(request).filter(at__gt=timezone.now() - timedelta(days=DAYS))
        grouped = recent.values("user__username", "provider", "model").annotate(
            calls=Count("pk"),
            read=Sum("tokens_in"),
            cached=Sum("tokens_cached"),
            written=Sum("tokens_out"),
            cost=Sum("price"),
        )
        dearest: QuerySet[Any, Any] = grouped.order_by("-cost", "-written", "user__username")
        return dearest[:50]
