"""Blocking work beside the event loop: on own threads, with the database connection given back at once."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")

_in_hand: set[Future[Any]] = set()
_threads = ThreadPoolExecutor(max_workers=settings.CHAT_THREADS, thread_name_prefix="klea-chat")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `function` on a thread and give its database connection back to the pool, so that none is held while waiting.

    The threads are few (CHAT_THREADS): many turns at once queue for them instead of exhausting the database.
    """
    context = contextvars.copy_context()

    def work() -> R:
        try:
            return context.run(function, *args, **kwargs)
        finally:
            connections.close_all()

    working = _threads.submit(work)
    _in_hand.add(working)
    working.add_done_callback(_in_hand.discard)
    return await asyncio.wrap_future(working)


async def settled() -> None:
    """Wait until no work is in hand, also none whose caller was cancelled meanwhile."""
    while in_hand := list(_in_hand):
        await asyncio.wait([asyncio.wrap_future(working) for working in in_hand])
