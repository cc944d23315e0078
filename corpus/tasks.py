"""What workers run: names for the queue, no logic."""

from __future__ import annotations

from corpus import ingestion, partial_upload, watching
from corpus.ingestion import lease


def work() -> int:
    """Free what dead processes held, look at watched folders, take waiting files; called by a wake-up and once a minute."""
    lease.free_dead()
    watching.look_again()
    partial_upload.sweep()
    count = ingestion.drain(seconds=600)
    if ingestion.pending().exists():
        ingestion.wake()
    return count
