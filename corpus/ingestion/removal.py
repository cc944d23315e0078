"""Take files away: from the library, from every store and from the disk, at once."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction
from django.db.models.functions import Now

from corpus import blobs
from corpus.converted import place_of_conversion
from corpus.ingestion import pipeline
from corpus.ingestion.permission import changeable, type_of_actor, write_events
from corpus.models import Chunk, Collection, MetadataEntry, SourceFile, State
from corpus.models.source_file import SourceFileQuerySet
from corpus.stage import Forgets


def remove(files: SourceFileQuerySet, *, by: type_of_actor = None) -> int:
    """Remove files in whatever state they are; their rows stay so that old citations can say "removed".

    Returns:
        How many files were removed.
    """
    removed = 0
    for pk in list(changeable(files, by).values_list("pk", flat=True)):
        removed += _remove(pk, by)
    return removed


def prune(collection: Collection, present: Iterable[str], *, by: type_of_actor = None) -> list[str]:
    """Remove the files of a collection whose paths are not among `present`; return their paths."""
    gone = SourceFile.objects.held().filter(collection=collection).exclude(path__in=list(present))
    paths = list(gone.values_list("path", flat=True))
    remove(gone, by=by)
    return paths


def discard_unused(content_hash: str, conversion_key: str = "") -> None:
    """Delete held bytes and a stored conversion that no file needs any more."""
    with transaction.atomic():
        lock_bytes(content_hash)
        held = SourceFile.objects.held()
        if not held.filter(content_hash=content_hash).exists():
            blobs.discard(blobs.place_of(content_hash))
        if conversion_key and not held.filter(conversion_key=conversion_key).exists():
            blobs.discard(place_of_conversion(conversion_key))


def lock_bytes(content_hash: str) -> None:
    """Keep others from adding or discarding the same bytes until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(content_hash[:15], 16)])


def _remove(pk: int, by: type_of_actor) -> bool:
    with transaction.atomic():
        row = SourceFile.objects.held().select_for_update().filter(pk=pk).first()
        if row is None:
            return False
        Chunk.objects.filter(source_file=row).delete()
        MetadataEntry.objects.filter(source_file=row).delete()
        SourceFile.objects.filter(pk=pk).update(
            state=State.REMOVED,
            state_detail={},
            pages=[],
            lease_holder="",
            lease_until=None,
            sealed="",
            cancel_requested=False,
            updated=Now(),
        )
        write_events([pk], "remove", by)
    for stage in pipeline.stages():
        if isinstance(stage, Forgets):
            stage.forget(row)
    discard_unused(row.content_hash, row.conversion_key)
    return True
