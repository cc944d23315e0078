"""Evaluation runs: to be read and compared."""

from __future__ import annotations

from django.contrib import admin

from corpus.admin.by_role import ByRole
from retrieval.models import EvaluationRun


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ByRole):
    """Measures over time."""

    list_display = ("created", "domain", "label", "ndcg", "recall", "question_count", "took_ms", "live")
    list_filter = (("domain", admin.RelatedOnlyFieldListFilter), "live")
    search_fields = ("label",)
    date_hierarchy = "created"
    list_select_related = ("domain",)

    @admin.display(description="nDCG@10")
    def ndcg(self, run: EvaluationRun) -> str:
        """Return the measure with its interval."""
        return _told(run, "nDCG@10")

    @admin.display(description="R@100")
    def recall(self, run: EvaluationRun) -> str:
        """Return the measure with its interval."""
        return _told(run, "R@100")


def _told(run: EvaluationRun, name: str) -> str:
    found = run.measures.get(name)
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})" if found else "–"
