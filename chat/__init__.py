"""How it is answered: sessions, turns, streamed events and citations that can be checked.

Verb: `answering.py`. Doors: `consumers.py` (websocket), `api.py`, `views.py` (the chat page), `admin/`.
Contract: `provider.py` with `providers/`.
Values and decisions: `core/` (events, citations, support, verdict, prompts).
"""
