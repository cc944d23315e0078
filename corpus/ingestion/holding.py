"""Take a file in: refuse what can't be read, hold the bytes, queue the work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from corpus import blobs
from corpus.access import require
from corpus.core.media_type import Kind, Refused, kind_by_bytes, kind_by_name
from corpus.core.relative_path import BadPath, clean_path
from corpus.ingestion.permission import type_of_actor, write_events
from corpus.ingestion.removal import discard_unused, lock_bytes
from corpus.ingestion.waiting import wake
from corpus.models import Collection, Role, SourceFile, State


@dataclass(frozen=True)
class Added:
    """What adding came to: the file, and whether it is new, changed, or the same as before."""

    source_file: SourceFile
    change: Literal["new", "changed", "same"]


def add_file(collection: Collection, *, path: str, content: Iterable[bytes], by: type_of_actor = None) -> Added:
    """Hold a file under its path in a collection and queue it.

    Args:
        collection: where.
        path: relative, as the browser, folder or archive gives it.
        content: the bytes, in pieces.
        by: who adds it; None: the operator.

    Raises:
        Refused: the file can't be taken; says why and what to do.
        corpus.blobs.StorageError: too large, or the disk is full.
        Http404, PermissionDenied: as `corpus.access.require`.
    """
    if by is not None:
        require(by, collection.domain, Role.CURATOR)
    clean = checked_path(path)
    kind_by_name(clean)
    held = blobs.hold(content, limit=settings.UPLOAD_MAX_BYTES)
    try:
        kind = kind_by_bytes(held.head, clean, members=held.members)
    except Refused:
        discard_unused(held.content_hash)
        raise
    try:
        return _record(collection, clean, held, kind, by)
    except IntegrityError:  # the same path came in twice at once; now it is there
        return _record(collection, clean, held, kind, by)


def checked_path(path: str) -> str:
    """Return the clean form of `path`.

    Raises:
        Refused: nothing is held under such a name.
    """
    try:
        return clean_path(path)
    except BadPath as error:
        raise Refused("bad_name", str(error), "") from error


def _record(collection: Collection, path: str, held: blobs.Held, kind: Kind, by: type_of_actor) -> Added:
    with transaction.atomic():
        lock_bytes(held.content_hash)
        if not blobs.exists(blobs.place_of(held.content_hash)):
            raise blobs.BytesMissing("The same file was removed at this moment.")
        rows = SourceFile.objects.held().select_for_update(of=("self",))
        row = rows.filter(collection=collection, path=path).first()
        if row is None:
            return Added(_create(collection, path, held, kind, by), "new")
        if row.content_hash == held.content_hash and row.state != State.CANCELLED:
            return Added(row, "same")
        return Added(_replace(row, held, kind, by), "changed")


def _create(collection: Collection, path: str, held: blobs.Held, kind: Kind, by: type_of_actor) -> SourceFile:
    row = SourceFile.objects.create(
        collection=collection,
        path=path,
        content_hash=held.content_hash,
        size=held.size,
        media_type=kind.media_type,
        uploaded_by=by if isinstance(by, User) else None,
    )
    write_events([row.pk], "add", by)
    wake()
    return row


def _replace(row: SourceFile, held: blobs.Held, kind: Kind, by: type_of_actor) -> SourceFile:
    """Point the file at its new bytes; its old chunks can be found until the new ones take their place."""
    old_hash, old_conversion = row.content_hash, row.conversion_key
    row.content_hash, row.size, row.media_type = held.content_hash, held.size, kind.media_type
    row.state, row.state_detail, row.stage, row.conversion_key = State.QUEUED, {}, "", ""
    row.lease_holder, row.lease_until, row.cancel_requested = "", None, False
    row.pages_done = 0
    row.save()
    write_events([row.pk], "replace", by)
    if old_hash != held.content_hash:
        transaction.on_commit(lambda: discard_unused(old_hash, old_conversion))
    wake()
    return row
