"""The library in the admin: it shows and asks; verbs do."""

from __future__ import annotations

from corpus.admin import attempt, chunk, collection, domain, metadata, source_file

__all__ = ["attempt", "chunk", "collection", "domain", "metadata", "source_file"]
