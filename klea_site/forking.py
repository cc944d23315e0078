"""Let a forked process open database connections of its own.

The queue's processes are forks of one another. A connection that both sides of a fork use mixes their answers up, so a child
leaves what it inherited alone: it isn't closed either, for that would end the parent's session.
"""

from __future__ import annotations

import os
from typing import Any

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

_inherited: list[Any] = []  # kept, so that nothing of it is closed by the garbage collector
_registered: list[bool] = []


def open_anew_after_fork() -> None:
    """See to it for all forks from now on."""
    if not _registered:
        _registered.append(True)
        os.register_at_fork(after_in_child=_leave_what_was_inherited)


def _leave_what_was_inherited() -> None:
    pools: dict[str, Any] = getattr(DatabaseWrapper, "_connection_pools", {})  # Django has no door to it
    _inherited.append(dict(pools))
    pools.clear()
    for connection in connections.all(initialized_only=True):
        _inherited.append(connection.connection)
        connection.connection = None
        connection.in_atomic_block = False
        connection.savepoint_ids = []
        connection.closed_in_transaction = False
