"""The API of conversations: ask (at once or streamed), sessions, turns, feedback, export, keys, models."""

from __future__ import annotations

from ninja import Router

from chat.api.keys import router as keys
from chat.api.questions import router as questions
from chat.api.sessions import router as sessions

router = Router()
router.add_router("", questions, tags=["questions"])
router.add_router("", sessions, tags=["sessions"])
router.add_router("", keys, tags=["keys and models"])

__all__ = ["router"]
