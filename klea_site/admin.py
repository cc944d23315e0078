"""The admin site: its name and the order of its sections."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver

ORDER = ["corpus", "retrieval", "chat", "auth", "django_q"]
MODELS = [
    "SourceFile",
    "MetadataEntry",
    "Chunk",
    "Domain",
    "Collection",
    "Membership",
    "FilterField",
    "Candidate",
    "StageAttempt",
    "ReviewEvent",
]


class KleaAdminSite(AdminSite):
    """Where curators review and managers set things up."""

    site_header = "Klea"
    site_title = "Klea"
    index_title = "Library and settings"
    site_url = "/"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """List the sections in the order in which a newcomer needs them."""
        found = super().get_app_list(request, app_label)
        for app in found:
            app["models"].sort(key=lambda model: _place(model["object_name"], MODELS))
        return sorted(found, key=lambda app: _place(app["app_label"], ORDER))

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Add the review workspace to the admin's addresses."""
        from corpus.admin.review_page import review_urls

        return [*review_urls(self.admin_view), *super().get_urls()]


def _place(name: str, order: list[str]) -> int:
    return order.index(name) if name in order else len(order)
