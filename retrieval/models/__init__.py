"""Rows of search."""

from __future__ import annotations

from retrieval.models.chunk_change import ChunkChange
from retrieval.models.embedding import Embedding
from retrieval.models.evaluation_run import EvaluationRun
from retrieval.models.golden_question import GoldenQuestion, Judgement
from retrieval.models.label import Label
from retrieval.models.store import Store

__all__ = ["ChunkChange", "Embedding", "EvaluationRun", "GoldenQuestion", "Judgement", "Label", "Store"]
