"""The one search of every surface: pages, API, chat and tools ask here and get the same."""

from __future__ import annotations

from retrieval.search.request import FoundChunk, SearchRequest, SearchResponse, SearchUnavailable, UnknownScope
from retrieval.search.running import search

__all__ = ["FoundChunk", "SearchRequest", "SearchResponse", "SearchUnavailable", "UnknownScope", "search"]
