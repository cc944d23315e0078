"""Bring every keyword store of a file's collection up to the database."""

from __future__ import annotations

from typing import Any

from django.db import connection

from corpus.models import SourceFile, State
from corpus.stage import StageContext, StageError
from retrieval.change_feed import follow
from retrieval.keyword_store import KeywordStoreUnavailable
from retrieval.models import Store
from retrieval.opening import StoreMismatch


class IndexKeywords:
    """Reads the change feed, so other files' waiting changes are taken along. Runs after the chunks are committed."""

    name = "index_keywords"
    version = 1
    shows = State.INDEXING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Name the keyword stores and their analysis, and when the chunks last changed, metadata included."""
        stores = sorted((s for s in source_file.collection.stores.all() if s.kind == Store.Kind.BM25), key=lambda s: s.pk)
        return {"stores": [[store.pk, store.analyzer, store.backend] for store in stores], "chunks": _fingerprint(source_file)}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Follow with each keyword store.

        Raises:
            StageError: an index can't be written, or a store doesn't fit.
        """
        read = 0
        stores = list(source_file.collection.stores.filter(kind=Store.Kind.BM25))
        try:
            for store in stores:
                read += follow(store, heartbeat=context.heartbeat)
        except StoreMismatch as error:
            raise StageError(error.cause, advice=error.advice) from error
        except KeywordStoreUnavailable as error:
            raise StageError(error.cause, advice=error.advice, retryable=True) from error
        return {"stores": len(stores), "files_read": read}

    def forget(self, source_file: SourceFile) -> None:
        """Follow at once; called after the removal is committed, the file's chunks leave the indexes."""
        for store in source_file.collection.stores.filter(kind=Store.Kind.BM25):
            follow(store, wait=False)


def _fingerprint(source_file: SourceFile) -> str:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(md5(string_agg(concat(id, text_hash, enabled, headings, metadata), ',' ORDER BY id)), '') "
            "FROM corpus_chunk WHERE source_file_id = %s",
            [source_file.pk],
        )
        return str(cursor.fetchone()[0])
