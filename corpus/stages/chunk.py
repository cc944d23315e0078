from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from corpus import converted
from corpus.backend import from_settings
from corpus.blobs import BytesMissing
from corpus.chunk_history import texts_before_edits
from corpus.converting import errors_told, process_here
from corpus.core.chunk import ChunkDraft
from corpus.core.chunk_reuse import reuse
from corpus.models import Chunk, SourceFile, State
from corpus.relabelling import metadata_map_of, metadata_of
from corpus.stage import Cancelled, StageContext, StageError

FIELDS: Final = ("ordinal", "kind", "pages", "spans", "token_count", "metadata", "changed")


class ChunkStage:
    """Cut the converted document into chunks that fit the embedder.

    Reads: the stored conversion and the metadata. Writes: the file's chunks, all in one transaction. A chunk whose text and
    headings did not change keeps its row, and so its vectors and citations; what a person wrote stays.
    """

    name: Final = "chunk"
    version: Final = 2
    shows: Final = State.INDEXING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """The length, and whose tokens it counts."""
        return {"max_tokens": _max_tokens(source_file), "tokenizer": _embedder().model}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Cut, then replace what is stored."""
        try:
            document = converted.read(source_file.conversion_key)
        except BytesMissing as error:
            raise StageError(str(error), advice="Convert the file again (reingest --since convert).") from error
        process = process_here()
        with errors_told(process):
            drafts = process.chunk(
                document,
                max_tokens=_max_tokens(source_file),
                tokenizer=str(_embedder().tokenizer_path),
                tick=context.heartbeat,
            )
        drafts = tuple(draft for draft in drafts if draft.text.strip())
        if not drafts:
            raise StageError("No text was found in the file.", advice="Look at it; if it holds pictures of text, read it by OCR.")
        kept, made, gone = _store(source_file, drafts)
        return {"chunks": len(drafts), "kept": kept, "made": made, "gone": gone, "peak_bytes": process.peak_bytes}


def _embedder() -> Any:
    return from_settings("EMBEDDERS", settings.EMBEDDER)


def _max_tokens(source_file: SourceFile) -> int:
    return min(source_file.collection.max_tokens, int(_embedder().max_tokens))


def _store(source_file: SourceFile, drafts: Sequence[ChunkDraft]) -> tuple[int, int, int]:
    """Replace the file's chunks; how many rows were kept, made and deleted."""
    entries = metadata_map_of(source_file)
    with transaction.atomic():
        held = SourceFile.objects.select_for_update().get(pk=source_file.pk)
        if held.lease_holder != source_file.lease_holder or held.state == State.REMOVED:
            raise Cancelled
        rows = {row.pk: row for row in Chunk.objects.filter(source_file=source_file).order_by("ordinal")}
        first_texts = texts_before_edits(source_file)
        stored = {pk: _identity(first_texts.get(pk, row.text), row.headings) for pk, row in rows.items()}
        match = reuse(stored, [_identity(draft.text, draft.headings) for draft in drafts])
        gone = [pk for pk in match.gone if not rows[pk].edited]
        Chunk.objects.filter(pk__in=gone).delete()
        made, changed = [], []
        for draft, pk in zip(drafts, match.kept, strict=True):
            label = metadata_of(source_file, entries, list(draft.headings))
            if pk is None:
                made.append(_row(source_file, draft, label))
            elif _renew(rows[pk], draft, label):
                changed.append(rows[pk])
        Chunk.objects.bulk_update(changed, FIELDS, batch_size=500)
        _move_behind([rows[pk] for pk in match.gone if rows[pk].edited], len(drafts))
        Chunk.objects.bulk_create(made, batch_size=500)
    return len(drafts) - len(made), len(made), len(gone)


def _identity(text: str, headings: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    return text, tuple(headings)


def _row(source_file: SourceFile, draft: ChunkDraft, label: dict[str, Any]) -> Chunk:
    return Chunk(
        source_file=source_file,
        text=draft.text,
        text_hash=hashlib.sha256(draft.text.encode()).hexdigest(),
        headings=list(draft.headings),
        **_facts(draft, label),
    )


def _facts(draft: ChunkDraft, label: dict[str, Any]) -> dict[str, Any]:
    return {
        "ordinal": draft.ordinal,
        "kind": draft.kind,
        "pages": list(draft.pages),
        "spans": [span.as_dict() for span in draft.spans],
        "token_count": draft.token_count,
        "metadata": label,
    }


def _renew(row: Chunk, draft: ChunkDraft, label: dict[str, Any]) -> bool:
    """Bring a kept row up to date; tell whether anything was to be changed. The places of words that a person wrote stay."""
    facts = _facts(draft, label)
    if row.edited:
        facts = {name: facts[name] for name in ("ordinal", "metadata")}
    if all(getattr(row, name) == value for name, value in facts.items()):
        return False
    for name, value in facts.items():
        setattr(row, name, value)
    row.changed = timezone.now()
    return True


def _move_behind(edited: Sequence[Chunk], count: int) -> None:
    """Give chunks that a person wrote the places behind the others."""
    for place, row in enumerate(edited, start=count):
        if row.ordinal != place:
            Chunk.objects.filter(pk=row.pk).update(ordinal=place)
