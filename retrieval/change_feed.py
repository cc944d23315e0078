"""Keyword indexes follow the database: every change of chunks is noted by triggers, and an index reads on from where it stands.

An index stands at a snapshot of the database's transactions, so it sees each committed change, in whatever order transactions
end. It may be killed, copied or left behind at any moment; what it can't catch up with (too old, or another database), it
builds anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import F
from django.utils import timezone

from corpus.models import State
from retrieval.core.indexed_text import embedded_text, title_text
from retrieval.keyword_store import Contents, KeywordRow
from retrieval.labels import CHUNK_LABEL
from retrieval.models import ChunkChange, Store
from retrieval.opening import keyword_store_of

KEPT: Final = timedelta(days=7)
_FILES_A_TIME: Final = 50
_NOW: Final = """
SELECT pg_current_snapshot()::text, current_database() || '/' || (SELECT system_identifier FROM pg_control_system()),
       clock_timestamp()
"""
_SINCE: Final = """
SELECT pg_current_snapshot()::text, current_database() || '/' || (SELECT system_identifier FROM pg_control_system()),
       clock_timestamp(), ARRAY(
    SELECT DISTINCT source_file_id FROM retrieval_chunkchange
    WHERE (collection_id = %(collection)s OR collection_id IS NULL)
      AND transaction >= pg_snapshot_xmin(%(snapshot)s::pg_snapshot)::text::bigint
      AND NOT pg_visible_in_snapshot(transaction::text::xid8, %(snapshot)s::pg_snapshot)
    ORDER BY source_file_id)
"""
_ROWS: Final = f"""
SELECT chunk.source_file_id, chunk.id, chunk.headings, chunk.text, chunk.metadata, ({CHUNK_LABEL})::text
FROM corpus_chunk chunk JOIN corpus_sourcefile file ON file.id = chunk.source_file_id
WHERE chunk.source_file_id = ANY(%s) AND file.collection_id = %s AND chunk.enabled AND file.state <> '{State.REMOVED.value}'
ORDER BY chunk.source_file_id, chunk.ordinal
"""  # noqa: S608 -- made of constants


@dataclass(frozen=True)
class Position:
    """Where an index stands: a snapshot of transactions, of which database, taken when."""

    snapshot: str
    database: str
    taken: datetime

    def told(self) -> str:
        """Write it down."""
        return json.dumps([self.snapshot, self.database, self.taken.isoformat()])

    @classmethod
    def read(cls, told: str) -> Position | None:
        """Read what `told` wrote; None if an index stands nowhere."""
        if not told:
            return None
        snapshot, database, taken = json.loads(told)
        return cls(snapshot, database, datetime.fromisoformat(taken))


def follow(store: Store, *, wait: bool = True, heartbeat: Callable[[], None] = lambda: None) -> int:
    """Bring a keyword store up to what is committed; call it outside of a transaction that may be undone.

    Args:
        store: of kind bm25.
        wait: for another process that is writing; if not, leave it to that one.
        heartbeat: called between batches.

    Returns:
        How many files were read again.
    """
    backend, index = keyword_store_of(store)
    with backend.exclusive(index, wait=wait) as held:
        if not held:
            return 0
        position = Position.read(backend.position(index))
        if position is None:
            return rebuild(store, heartbeat=heartbeat, exclusive=False)
        now, changed = _changes(store, position)
        if now.database != position.database or now.taken - position.taken > KEPT:
            return rebuild(store, heartbeat=heartbeat, exclusive=False)
        for start in range(0, len(changed), _FILES_A_TIME):
            part = changed[start : start + _FILES_A_TIME]
            last = start + _FILES_A_TIME >= len(changed)
            backend.replace(index, _contents(store, part), position=(now if last else position).told())
            heartbeat()
    if changed:
        _note(store)
        ChunkChange.objects.filter(at__lt=timezone.now() - KEPT - timedelta(days=1)).delete()
    return len(changed)


def is_behind(store: Store) -> bool:
    """Tell whether changes wait that the store's index on this machine has not read."""
    backend, index = keyword_store_of(store)
    position = Position.read(backend.position(index))
    return position is None or bool(_changes(store, position)[1])


def rebuild(store: Store, *, heartbeat: Callable[[], None] = lambda: None, exclusive: bool = True) -> int:
    """Build a keyword store anew from the database; the old index serves until the new one is whole.

    Returns:
        How many files were read.
    """
    backend, index = keyword_store_of(store)
    if exclusive:
        with backend.exclusive(index, wait=True):
            return rebuild(store, heartbeat=heartbeat, exclusive=False)
    with connection.cursor() as cursor:
        cursor.execute(_NOW)
        now = Position(*cursor.fetchone())
    files = list(store.collection.source_files.held().values_list("pk", flat=True))

    def parts() -> Iterator[Contents]:
        for start in range(0, len(files), _FILES_A_TIME):
            yield _contents(store, files[start : start + _FILES_A_TIME])
            heartbeat()

    backend.rebuild(index, parts(), position=now.told())
    _note(store)
    return len(files)


def _changes(store: Store, position: Position) -> tuple[Position, list[int]]:
    with connection.cursor() as cursor:
        cursor.execute(_SINCE, {"collection": store.collection_id, "snapshot": position.snapshot})
        snapshot, database, taken, files = cursor.fetchone()
    return Position(snapshot, database, taken), files


def _contents(store: Store, files: list[int]) -> Contents:
    contents: dict[int, list[KeywordRow]] = {file_id: [] for file_id in files}
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, [files, store.collection_id])
        for file_id, chunk_id, chain, text, metadata, label in cursor.fetchall():
            headings = json.loads(chain)
            title = title_text(headings, json.loads(metadata))
            contents[file_id].append(KeywordRow(chunk_id, title, embedded_text(text, headings), label.replace("-", "")))
    return contents


def _note(store: Store) -> None:
    Store.objects.filter(pk=store.pk).update(version=F("version") + 1)
