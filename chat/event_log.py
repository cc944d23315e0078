"""The events of one turn: numbered from 1 without gaps, stored, then sent to whoever follows.

`emit` only puts an event in line; one writer a turn stores and sends what is in line, in order. So a stage never waits for the
database, and pieces of text that come faster than they can be stored are joined.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from django.db import OperationalError, transaction
from redis.exceptions import RedisError

from chat.core.events import check_payload
from chat.models import TurnEvent
from chat.offloading import in_thread
from corpus.core.text import remove_unstorable

logger = logging.getLogger(__name__)
JOIN_S = 0.04  # pieces of text that come within this time are one event
TRIES = 5
LAYER_ERRORS = (OSError, ChannelFull, RedisError)


def group_of(turn_id: int) -> str:
    """Return the name of the channel-layer group that follows a turn."""
    return f"turn.{turn_id}"


def cleaned(value: Any) -> Any:
    """Return `value` without what PostgreSQL can't store: NUL and lone surrogates."""
    if isinstance(value, str):
        return remove_unstorable(value)
    if isinstance(value, dict):
        return {key: cleaned(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(part) for part in value]
    return value


class EventLog:
    """Writes the events of one turn.

    Attributes:
        text: what the reader of the stream has seen as the answer so far.
    """

    def __init__(self, turn_id: int, *, last_seq: int = 0) -> None:
        self.turn_id = turn_id
        self.text = ""
        self._seq = last_seq
        self._line: list[dict[str, Any]] = []
        self._taken = 0  # so many of the line are being stored and may no longer change
        self._wake = asyncio.Event()
        self._writing = asyncio.Lock()
        self._writer: asyncio.Task[None] | None = None

    def emit(self, type: str, **payload: Any) -> None:  # noqa: A002 -- the schema's word
        """Put an event in line."""
        payload = cleaned(payload)
        check_payload(type, payload)
        if type == "delta":
            self.text += payload["text"]
            if len(self._line) > self._taken and self._line[-1]["type"] == "delta":
                self._line[-1]["text"] += payload["text"]
                return
        if type == "revised":
            self.text = payload["text"]
        self._seq += 1
        self._line.append({"seq": self._seq, "turn": self.turn_id, "type": type, **payload})
        self._wake.set()
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_on(), name=f"events of turn {self.turn_id}")

    async def flush(self) -> None:
        """Wait until all that is in line is stored and sent.

        Raises:
            OperationalError: the database does not take it.
        """
        while self._line or self._writing.locked():
            await self._write()

    async def conclude(self, type: str, store: Callable[[], None], **payload: Any) -> None:  # noqa: A002
        """Write the last event together with what `store` writes: both or neither; then send it.

        Raises:
            OperationalError: the database does not take it.
        """
        check_payload(type, payload)
        await self.flush()
        async with self._writing:
            event = {"seq": self._seq + 1, "turn": self.turn_id, "type": type, **cleaned(payload)}
            await in_thread(_conclude, self.turn_id, event, store)
            self._seq += 1
            await self._send([event])

    async def close(self) -> None:
        """Write what is left and end the writer."""
        try:
            await self.flush()
        except OperationalError:
            logger.exception("The last events of turn %s could not be stored.", self.turn_id)
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait([self._writer])
            self._writer = None

    async def _write_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._write()
            except OperationalError:
                logger.exception("The events of turn %s could not be stored; they stay in line.", self.turn_id)
            await asyncio.sleep(JOIN_S)

    async def _write(self) -> None:
        async with self._writing:
            batch = list(self._line)
            if not batch:
                return
            self._taken = len(batch)
            try:
                await self._store(batch)
                del self._line[: len(batch)]
            finally:
                self._taken = 0
            await self._send(batch)

    async def _store(self, batch: list[dict[str, Any]]) -> None:
        for attempt in range(TRIES):
            try:
                await in_thread(_insert, self.turn_id, batch)
                return
            except OperationalError:
                if attempt == TRIES - 1:
                    raise
                await asyncio.sleep(0.2 * 2**attempt)

    async def _send(self, batch: list[dict[str, Any]]) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        try:
            await layer.group_send(group_of(self.turn_id), {"type": "turn.events", "turn": self.turn_id, "events": batch})
        except LAYER_ERRORS as error:
            logger.warning("The channel layer does not work (%s); readers of turn %s poll.", error, self.turn_id)


def _insert(turn_id: int, batch: list[dict[str, Any]]) -> None:
    rows = [
        TurnEvent(
            turn_id=turn_id,
            seq=event["seq"],
            type=event["type"],
            payload={key: value for key, value in event.items() if key not in {"seq", "turn", "type"}},
        )
        for event in batch
    ]
    TurnEvent.objects.bulk_create(rows, ignore_conflicts=True)


@transaction.atomic
def _conclude(turn_id: int, event: dict[str, Any], store: Callable[[], None]) -> None:
    store()
    _insert(turn_id, [event])


def stored_events(turn_id: int, *, after: int = 0, limit: int = 500) -> list[dict[str, Any]]:
    """Return the stored events of a turn from `after` on (not included), at most `limit`."""
    rows = TurnEvent.objects.filter(turn_id=turn_id, seq__gt=after).order_by("seq")[:limit]
    return [{"seq": row.seq, "turn": turn_id, "type": row.type, **row.payload} for row in rows]
