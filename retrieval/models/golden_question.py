from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from corpus.models import Chunk, Domain, SourceFile
from corpus.models.visibility import VisibleQuerySet


class GoldenQuestionQuerySet(VisibleQuerySet):
    """Golden questions of domains that a user may see."""

    domain_path = "domain__"


class GoldenQuestion(models.Model):
    """A question with the files or chunks that should be found for it."""

    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="golden_questions")
    text = models.TextField()
    source = models.CharField(max_length=20, default="manual", help_text="manual, debugger, feedback or import")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[GoldenQuestionQuerySet] = GoldenQuestionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["domain", "pk"]
        constraints = [models.UniqueConstraint(fields=["domain", "text"], name="golden_question_once_per_domain")]

    def __str__(self) -> str:
        return self.text[:80]


class Judgement(models.Model):
    """How relevant a file (or one chunk of it) is to a golden question; 0 means it must not count."""

    question = models.ForeignKey(GoldenQuestion, on_delete=models.CASCADE, related_name="judgements")
    source_file = models.ForeignKey(SourceFile, on_delete=models.CASCADE, related_name="+")
    chunk = models.ForeignKey(Chunk, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    relevance = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "source_file", "chunk"], name="judgement_once_per_target")]

    def __str__(self) -> str:
        return f"{self.source_file}: {self.relevance}"
