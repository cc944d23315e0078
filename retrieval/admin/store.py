"""Stores: what they hold, how deep they are searched, and building them anew."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from corpus.admin.by_role import ByRole
from corpus.models import Role
from retrieval.keyword_store import KeywordStoreUnavailable
from retrieval.models import Store
from retrieval.opening import StoreMismatch, fit, keyword_store_of, vector_store_of
from retrieval.search.scope import depth_of
from retrieval.vector_store import VectorStoreUnavailable


@admin.register(Store)
class StoreAdmin(ByRole):
    """Stores. What a store was made with is shown and never edited: another model means another store."""

    role_to_change = Role.MANAGER
    role_to_add = Role.MANAGER
    list_display = ("name", "collection", "kind", "backend", "made_with", "passages", "depth", "enabled")
    list_filter = ("kind", "enabled", ("collection__domain", admin.RelatedOnlyFieldListFilter))
    search_fields = ("name", "collection__name", "collection__domain__name", "model")
    list_select_related = ("collection__domain",)
    readonly_fields = ("model", "dimension", "analyzer", "settings_hash", "version", "passages", "created")
    fieldsets = (
        (None, {"fields": ("collection", "name", "kind", "backend", "enabled")}),
        ("How deep it is searched", {"fields": ("default_k", "k_max", "k_inc")}),
        (
            "What it was made with",
            {"fields": ("model", "dimension", "analyzer", "settings_hash", "version", "passages", "created")},
        ),
    )
    actions = ("build_anew", "renew", "switch_on", "switch_off")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Fix what a store is once it exists."""
        fixed = super().get_readonly_fields(request, obj)
        return fixed if obj is None else (*fixed, "collection", "kind", "backend")

    def save_model(self, request: HttpRequest, obj: Store, form: Any, change: bool) -> None:  # noqa: FBT001 -- Django's
        """Save; a new store is made with the present model or analysis, and filled by a worker."""
        if not change:
            fit(obj)
        super().save_model(request, obj, form, change)
        if not change:
            _queue("retrieval.tasks.rebuild_store", [obj])
            messages.info(request, "A worker fills the store with the passages of its collection.")

    @admin.display(description="Made with")
    def made_with(self, store: Store) -> str:
        """Return the model or the analysis."""
        return store.model or store.analyzer

    @admin.display(description="Passages")
    def passages(self, store: Store) -> str:
        """Return how many it holds, or what is wrong with it."""
        if not store.pk:
            return "–"
        try:
            if store.kind == Store.Kind.VECTOR:
                vectors, index = vector_store_of(store)
                return str(vectors.count(index))
            words, at = keyword_store_of(store)
            return str(words.count(at))
        except (StoreMismatch, KeywordStoreUnavailable, VectorStoreUnavailable) as error:
            return str(error)

    @admin.display(description="Depth")
    def depth(self, store: Store) -> str:
        """Return the first depth, the growth and the limit."""
        depth = depth_of(store)
        return f"{depth.default_k}, then + {depth.k_inc} up to {depth.k_max}"

    @admin.action(description="Build anew from the library", permissions=["change"])
    def build_anew(self, request: HttpRequest, queryset: QuerySet[Store]) -> None:
        """Queue a rebuild; the store serves meanwhile."""
        allowed = self._allowed(request, queryset)
        _queue("retrieval.tasks.rebuild_store", allowed)
        self.message_user(request, f"{len(allowed)} stores are queued to be built anew.", messages.SUCCESS)

    @admin.action(description="Build with the present model beside it, then switch", permissions=["change"])
    def renew(self, request: HttpRequest, queryset: QuerySet[Store]) -> None:
        """Queue a store of the present model for each."""
        allowed = self._allowed(request, queryset)
        _queue("retrieval.tasks.renew_store", allowed)
        self.message_user(
            request, f"{len(allowed)} new stores are queued; the old ones serve until they are whole.", messages.SUCCESS
        )

    @admin.action(description="Search these stores", permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Store]) -> None:
        """Switch on."""
        self._set(request, queryset, enabled=True)

    @admin.action(description="Don't search these stores", permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Store]) -> None:
        """Switch off; they are kept up to date."""
        self._set(request, queryset, enabled=False)

    def _set(self, request: HttpRequest, queryset: QuerySet[Store], *, enabled: bool) -> None:
        allowed = self._allowed(request, queryset)
        Store.objects.filter(pk__in=[store.pk for store in allowed]).update(enabled=enabled)
        self.message_user(
            request, f"{len(allowed)} stores are {'searched' if enabled else 'not searched'} from now on.", messages.SUCCESS
        )

    def _allowed(self, request: HttpRequest, queryset: QuerySet[Store]) -> list[Store]:
        return [store for store in queryset.select_related("collection__domain") if self.has_change_permission(request, store)]


def _queue(task: str, stores: list[Store]) -> None:
    from django_q.tasks import async_task

    for store in stores:
        async_task(task, store.pk, group="stores")
