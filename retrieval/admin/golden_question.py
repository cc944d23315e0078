"""Golden questions with the files or passages that should be found."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from corpus.admin.by_role import ByRole
from corpus.models import Role
from retrieval.models import GoldenQuestion, Judgement


class JudgementInline(admin.TabularInline):  # type: ignore[type-arg]
    """The judgements of a question; who may change the question may change them."""

    model = Judgement
    extra = 1
    raw_id_fields = ("source_file", "chunk")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Follow the question."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Follow the question."""
        return True

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Follow the question."""
        return True

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Follow the question."""
        return True


@admin.register(GoldenQuestion)
class GoldenQuestionAdmin(ByRole):
    """Questions by which a domain's retrieval is measured."""

    role_to_change = Role.CURATOR
    role_to_add = Role.CURATOR
    list_display = ("text", "domain", "source", "judged", "created")
    list_filter = (("domain", admin.RelatedOnlyFieldListFilter), "source")
    search_fields = ("text",)
    list_select_related = ("domain",)
    readonly_fields = ("source", "created_by", "created")
    inlines = (JudgementInline,)
    actions = ("measure",)

    def save_model(self, request: HttpRequest, obj: GoldenQuestion, form: Any, change: bool) -> None:  # noqa: FBT001 -- Django's
        """Note who asked."""
        if not change:
            obj.created_by = request.user  # type: ignore[assignment]
        super().save_model(request, obj, form, change)

    @admin.display(description="Judgements")
    def judged(self, question: GoldenQuestion) -> int:
        """Return how many files or passages are judged."""
        return question.judgements.count()

    @admin.action(description="Measure retrieval in the domains of these questions", permissions=["change"])
    def measure(self, request: HttpRequest, queryset: QuerySet[GoldenQuestion]) -> None:
        """Queue a run for each domain; all of its questions are asked."""
        from django_q.tasks import async_task

        domains = {
            question.domain for question in queryset.select_related("domain") if self.has_change_permission(request, question)
        }
        for domain in domains:
            async_task("retrieval.tasks.measure", domain.pk, group="evaluation")
        self.message_user(request, f"{len(domains)} runs are queued; see Evaluation runs.", messages.SUCCESS)
