"""What a curator does to chunks by hand: change the text, switch off, add. It is kept when the file is converted again."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.shortcuts import get_object_or_404

from corpus import ingestion
from corpus.access import require
from corpus.chunk_history import EDITED
from corpus.core.text import normalize_text
from corpus.models import Chunk, ReviewEvent, Role, SourceFile
from corpus.relabelling import metadata_map_of, metadata_of

LONGEST = 20_000


class BadText(ValueError):  # noqa: N818
    """A text that can't be a passage; the message says why."""


def edit_text(user: User, chunk_id: int, text: str) -> Chunk:
    """Change a chunk's text; it is embedded and indexed anew.

    Raises:
        BadText: it is empty or too long.
        Http404, PermissionDenied: as `corpus.access.require`.
    """
    clean = _checked(text)
    with transaction.atomic():
        chunk = _locked(user, chunk_id)
        if chunk.text == clean:
            return chunk
        before = {"chunk": chunk.pk, "text": chunk.text}
        chunk.text, chunk.text_hash, chunk.edited = clean, _hash(clean), True
        chunk.save(update_fields=["text", "text_hash", "edited", "changed"])
        _event(chunk, user, EDITED, before, {"chunk": chunk.pk, "text": clean})
        ingestion.go_on(chunk.source_file_id)
        return chunk


def set_enabled(user: User, chunk_id: int, *, enabled: bool) -> Chunk:
    """Let searches find a chunk or not.

    Raises:
        Http404, PermissionDenied: as `corpus.access.require`.
    """
    with transaction.atomic():
        chunk = _locked(user, chunk_id)
        if chunk.enabled != enabled:
            before = {"chunk": chunk.pk, "enabled": chunk.enabled}
            chunk.enabled = enabled
            chunk.save(update_fields=["enabled", "changed"])
            _event(chunk, user, "switch passage", before, {"chunk": chunk.pk, "enabled": enabled})
            ingestion.go_on(chunk.source_file_id)
        return chunk


def add(user: User, source_file_id: int, text: str, *, headings: list[str], page: int | None = None) -> Chunk:
    """Add a chunk behind the others of a file.

    Raises:
        BadText: the text is empty or too long.
        Http404, PermissionDenied: as `corpus.access.require`.
    """
    clean = _checked(text)
    with transaction.atomic():
        visible = SourceFile.objects.held().visible_to(user).select_for_update(of=("self",)).select_related("collection__domain")
        file: SourceFile = get_object_or_404(visible, pk=source_file_id)
        require(user, file.collection.domain, Role.CURATOR)
        last = Chunk.objects.filter(source_file=file).aggregate(last=Max("ordinal"))["last"]
        chunk = Chunk.objects.create(
            source_file=file,
            ordinal=0 if last is None else last + 1,
            text=clean,
            text_hash=_hash(clean),
            headings=headings,
            pages=[page] if page else [],
            edited=True,
            metadata=metadata_of(file, metadata_map_of(file), headings),
        )
        _event(chunk, user, "add passage", {}, {"chunk": chunk.pk, "text": clean})
        ingestion.go_on(file.pk)
        return chunk


def _locked(user: User, chunk_id: int) -> Chunk:
    visible = Chunk.objects.visible_to(user).select_for_update(of=("self",)).select_related("source_file__collection__domain")
    chunk: Chunk = get_object_or_404(visible, pk=chunk_id)
    require(user, chunk.source_file.collection.domain, Role.CURATOR)
    return chunk


def _checked(text: str) -> str:
    clean = normalize_text(text)
    if not clean:
        raise BadText("A passage needs text. To take it out of searches, switch it off.")
    if len(clean) > LONGEST:
        raise BadText(f"A passage may have at most {LONGEST:,} characters. Split it.")
    return clean


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _event(chunk: Chunk, user: User, verb: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    ReviewEvent.objects.create(source_file_id=chunk.source_file_id, actor=user, verb=verb, before=before, after=after)
