"""What is held: domains, collections, source files and what is known of them.

Doors: `admin/`, `api.py`, `management/`. Verbs: `ingestion.py` (take a file through its stages), `review.py` (what a curator
decides). Order of the stages: `klea_site/pipelines.py`. Who may see what: `access.py`. Values and decisions: `core/`.
"""
