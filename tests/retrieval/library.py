"""Files with chunks, as ingestion leaves them, without converting anything."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from corpus.models import Chunk, Collection, SourceFile, State
from corpus.stage import StageContext
from retrieval.stages.embed import Embed
from retrieval.stages.index_keywords import IndexKeywords

CONTEXT = StageContext(heartbeat=lambda: None, progress=lambda _pages: None)


def add_file(
    collection: Collection,
    path: str,
    texts: Sequence[str],
    *,
    metadata: dict[str, Any] | None = None,
    headings: Sequence[str] = (),
) -> SourceFile:
    """Hold a file with one chunk a text."""
    file = SourceFile.objects.create(
        collection=collection, path=path, content_hash=hashlib.sha256(path.encode()).hexdigest(), size=1, state=State.INDEXING
    )
    Chunk.objects.bulk_create(
        Chunk(
            source_file=file,
            ordinal=ordinal,
            text=text,
            headings=list(headings),
            pages=[ordinal + 1],
            metadata=metadata or {},
            token_count=len(text.split()),
            text_hash=hashlib.sha256(text.encode()).hexdigest(),
        )
        for ordinal, text in enumerate(texts)
    )
    return file


def index(file: SourceFile) -> SourceFile:
    """Put the file's chunks into every store of its collection."""
    Embed().run(file, CONTEXT)
    IndexKeywords().run(file, CONTEXT)
    SourceFile.objects.filter(pk=file.pk).update(state=State.READY)
    return file


def chunk_of(file: SourceFile, ordinal: int = 0) -> Chunk:
    """Return one of the file's chunks."""
    found: Chunk = file.chunks.get(ordinal=ordinal)
    return found
