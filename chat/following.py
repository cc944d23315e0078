"""Follow a turn's events from any number on, for websocket and server-sent events alike: stored ones first, then as they come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.utils.crypto import constant_time_compare

from chat.asking import interrupt_lost_turns
from chat.event_log import LAYER_ERRORS, group_of, stored_events
from chat.models import Turn
from chat.offloading import in_thread
from corpus.models.visibility import scope_of, type_of_user

Event = dict[str, Any]
ENDS = frozenset({"finished", "stopped", "failed"})
POLL_S = 1.5
PAGE = 500
TRUST_S = 1.0
NO_LONGER_YOURS = {
    "type": "failed",
    "message": "You may no longer see what this answer rests on.",
    "advice": "Ask a manager of the domain for access.",
    "retry": False,
}


async def follow(turn_id: int, *, after: int, may_read: Callable[[], Awaitable[bool]]) -> AsyncIterator[list[Event]]:
    """Yield batches of events, each event once and in order, until the turn ends; an empty batch is a heartbeat.

    Works on when the channel layer does not: then the stored events are polled.

    Args:
        turn_id: a turn that the reader owns.
        after: the last number that the reader has seen.
        may_read: asked before each batch.
    """
    layer = get_channel_layer()
    channel = await layer.new_channel("turn") if layer else ""
    await _join(layer, turn_id, channel)
    try:
        async for batch in _batches(turn_id, after, layer, channel):
            if batch and not await may_read():
                yield [{"seq": batch[0]["seq"], "turn": turn_id, **NO_LONGER_YOURS}]
                return
            yield batch
    finally:
        await _leave(layer, turn_id, channel)


async def _batches(turn_id: int, last: int, layer: Any, channel: str) -> AsyncIterator[list[Event]]:
    spoke = time.monotonic()
    batch = await in_thread(stored_events, turn_id, after=last, limit=PAGE)
    while True:
        if batch:
            yield batch
            last, spoke = batch[-1]["seq"], time.monotonic()
            if batch[-1]["type"] in ENDS:
                return
        elif time.monotonic() - spoke > settings.TURN_HEARTBEAT_SECONDS:
            yield []
            spoke = time.monotonic()
        if len(batch) == PAGE:
            batch = await in_thread(stored_events, turn_id, after=last, limit=PAGE)
            continue
        sent = await _next(layer, channel)
        fresh = [event for event in sent or [] if event["seq"] > last]
        if sent is None or (fresh and fresh[0]["seq"] != last + 1):
            fresh = await in_thread(_news, turn_id, last)
        batch = fresh


async def _next(layer: Any, channel: str) -> list[Event] | None:
    """Return the next events that the layer brings; None if it brings none in time."""
    if not channel:
        await asyncio.sleep(POLL_S)
        return None
    try:
        async with asyncio.timeout(POLL_S):
            message = await layer.receive(channel)
        return list(message["events"])
    except TimeoutError:
        return None
    except LAYER_ERRORS:
        await asyncio.sleep(POLL_S)
        return None


def _news(turn_id: int, last: int) -> list[Event]:
    """Read what is new; a turn whose process is gone is marked so first."""
    found = stored_events(turn_id, after=last, limit=PAGE)
    if not found:
        turn = Turn.objects.select_related("session").filter(pk=turn_id).first()
        if turn is None:
            return [
                {
                    "seq": last + 1,
                    "turn": turn_id,
                    "type": "failed",
                    "message": "The question was deleted.",
                    "advice": "",
                    "retry": False,
                }
            ]
        if interrupt_lost_turns(turn.session):
            found = stored_events(turn_id, after=last, limit=PAGE)
    return found


async def _join(layer: Any, turn_id: int, channel: str) -> None:
    if channel:
        try:
            await layer.group_add(group_of(turn_id), channel)
        except LAYER_ERRORS:
            return


async def _leave(layer: Any, turn_id: int, channel: str) -> None:
    if channel:
        try:
            await layer.group_discard(group_of(turn_id), channel)
        except LAYER_ERRORS:
            return


class Reader:
    """Who follows a turn, and whether they still may: asked at most once a second."""

    def __init__(self, user: type_of_user, turn_id: int, *, session_key: str = "") -> None:
        self._user = user
        self._turn_id = turn_id
        self._session_key = session_key
        self._trusted_until = 0.0

    async def may_read(self) -> bool:
        """Say whether the reader is still signed in, owns the turn, and sees all domains that it rests on."""
        if time.monotonic() < self._trusted_until:
            return True
        allowed = await in_thread(may_read, self._user, self._turn_id, session_key=self._session_key)
        self._trusted_until = time.monotonic() + TRUST_S if allowed else 0.0
        return allowed


def may_read(user: type_of_user, turn_id: int, *, session_key: str = "") -> bool:
    """Say whether `user`, with present rights, may see the answer of a turn.

    Args:
        user: who reads; rights are read anew, a key's scope is kept.
        turn_id: which turn.
        session_key: of the browser session; when given, it must still be signed in.
    """
    present = get_user_model().objects.filter(pk=user.pk or 0, is_active=True).first()
    if present is None or (session_key and not _is_signed_in(session_key, present)):
        return False
    present.domain_scope = scope_of(user)  # type: ignore[attr-defined]
    return bool(Turn.objects.readable_by(present).filter(pk=turn_id).exists())


def _is_signed_in(session_key: str, user: Any) -> bool:
    held = SessionStore(session_key).load()
    same = str(held.get(SESSION_KEY)) == str(user.pk)
    return same and constant_time_compare(str(held.get(HASH_SESSION_KEY, "")), user.get_session_auth_hash())
