"""How it is found: stores over collections, one search for every surface, and its measures.

Verb: `search.py`. Contracts: `vector_store.py`, `keyword_store.py`, `embedder.py`, `reranker.py`, each with its plural folder.
Values and decisions: `core/` (filters, fusion, recency, reference material).
"""
