"""Rows of search."""

from __future__ import annotations

from retrieval.models.embedding import Embedding
from retrieval.models.evaluation_run import EvaluationRun
from retrieval.models.golden_question import GoldenQuestion, Judgement
from retrieval.models.store import Store

__all__ = ["Embedding", "EvaluationRun", "GoldenQuestion", "Judgement", "Store"]
