"""What can be done with a source file: add, take through the stages, retry, cancel, remove.

The database is the queue: a file in an active state without a live lease waits to be taken, and a task is only a wake-up.
So nothing is lost when a process is killed at any point: its lease ends, and the next worker goes on where the attempts say.
"""

from __future__ import annotations

from corpus.ingestion.control import cancel, go_on, redo, retry
from corpus.ingestion.holding import Added, add_file
from corpus.ingestion.removal import prune, remove
from corpus.ingestion.run import drain, ingest
from corpus.ingestion.waiting import ACTIVE, one_wake_up, pending, wake

__all__ = [
    "ACTIVE",
    "Added",
    "add_file",
    "cancel",
    "drain",
    "go_on",
    "ingest",
    "one_wake_up",
    "pending",
    "prune",
    "redo",
    "remove",
    "retry",
    "wake",
]
