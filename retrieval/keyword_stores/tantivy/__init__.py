"""The default keyword store: tantivy, on disk, incremental, filters in the engine."""

from __future__ import annotations

from retrieval.keyword_stores.tantivy.store import TantivyStore

__all__ = ["TantivyStore"]
