"""What workers run: names for the queue, no logic."""

from __future__ import annotations

from corpus import ingestion
from corpus.ingestion import lease


def work() -> int:
    """Free what dead processes held, then take waiting files; called by a wake-up and once a minute."""
    lease.free_dead()
    count = ingestion.drain(seconds=600)
    if ingestion.pending().exists():
        ingestion.wake()
    return count
