"""The turns that this process answers: they belong to the server, so closing a page doesn't end them.

One pulse a process tells the database that its turns live, and looks whether somebody asked to stop one, perhaps elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models.functions import Now

from chat.models import Turn
from chat.offloading import in_thread, settled

logger = logging.getLogger(__name__)
LOOK_S = 0.4
LIVE_STATES = (Turn.State.WAITING, Turn.State.RUNNING)

_running: dict[int, asyncio.Task[None]] = {}
_stopping: set[int] = set()
_pulses: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}


def begin(turn_id: int, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run `work` as the run of a turn, independent of the caller's life."""
    task = asyncio.create_task(work, name=f"turn {turn_id}")
    _running[turn_id] = task
    task.add_done_callback(lambda _: _ended(turn_id))
    loop = asyncio.get_running_loop()
    if loop not in _pulses or _pulses[loop].done():
        _pulses[loop] = asyncio.create_task(_pulse(), name="pulse of the running turns")
    return task


def stop_here(turn_id: int) -> bool:
    """Cancel the run of a turn if it is in this process and this event loop; say whether it was."""
    task = _running.get(turn_id)
    if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
        return False
    if turn_id not in _stopping:
        _stopping.add(turn_id)
        task.cancel()
    return True


def was_stopped(turn_id: int) -> bool:
    """Say whether a cancelled run was cancelled because somebody asked to stop it."""
    return turn_id in _stopping


async def end_all() -> None:
    """Cancel the runs of this event loop and wait for them; their turns are told as interrupted when the heartbeat is missed."""
    loop = asyncio.get_running_loop()
    tasks = [task for task in (*_running.values(), *_pulses.values()) if task.get_loop() is loop and not task.done()]
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
    await settled()


def running_here() -> tuple[int, ...]:
    """Return the turns that this process answers."""
    return tuple(_running)


def _ended(turn_id: int) -> None:
    task = _running.pop(turn_id, None)
    _stopping.discard(turn_id)
    if task is not None and not task.cancelled() and (error := task.exception()):
        logger.error("The run of turn %s ended in an unexpected way.", turn_id, exc_info=error)


async def _pulse() -> None:
    loop = asyncio.get_running_loop()
    while mine := [turn for turn, task in _running.items() if task.get_loop() is loop]:
        try:
            for turn_id in await in_thread(_beat, mine):
                stop_here(turn_id)
        except DatabaseError as error:
            logger.warning("The pulse of the running turns could not be written (%s).", error)
        await asyncio.sleep(LOOK_S)
    _pulses.pop(loop, None)


def _beat(turn_ids: Iterable[int]) -> list[int]:
    """Renew heartbeats that grow old, and return the turns that somebody asked to stop."""
    mine = Turn.objects.filter(pk__in=list(turn_ids))
    old = Now() - timedelta(seconds=settings.TURN_HEARTBEAT_SECONDS / 3)
    mine.filter(heartbeat__lt=old, state__in=LIVE_STATES).update(heartbeat=Now())
    return list(mine.filter(stop_requested=True).values_list("pk", flat=True))


def silent_since(now: datetime) -> datetime:
    """Return the time before which a heartbeat means that the run's process is gone."""
    return now - timedelta(seconds=settings.TURN_HEARTBEAT_SECONDS)
