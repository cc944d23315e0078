"""Search in the admin: stores, golden questions, evaluation runs."""

from __future__ import annotations

from retrieval.admin import embedding, evaluation_run, golden_question, store

__all__ = ["embedding", "evaluation_run", "golden_question", "store"]
