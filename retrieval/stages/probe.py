"""See whether a file is findable: chunks made, embedded and indexed agree, and a question from its text finds it."""

from __future__ import annotations

from typing import Any, Final

from corpus.models import Chunk, SourceFile, State
from corpus.stage import Partial, StageContext, StageError
from retrieval.core.indexed_text import embedded_text
from retrieval.core.keyword_query import keyword_query
from retrieval.core.selection import Selection
from retrieval.models import Store
from retrieval.opening import embedder_of, keyword_store_of, vector_store_of

_TOP_K: Final = 10
_WORDS: Final = 40


class Probe:
    """Reads: every store. Writes: nothing. READY is a promise, and this keeps it."""

    name = "probe"
    version = 1
    shows = State.INDEXING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Name the stores."""
        return {"stores": sorted(store.pk for store in source_file.collection.stores.all())}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Count, then ask.

        Raises:
            Partial: some chunks are missing in a store.
            StageError: a store has none of them, or doesn't find the file by its own words.
        """
        chunks = list(Chunk.objects.filter(source_file=source_file, enabled=True).order_by("-token_count", "ordinal"))
        if not chunks:
            raise StageError(
                "The file has no passages.", advice="Look at its pages; it may hold pictures only: convert it with OCR."
            )
        stores = list(source_file.collection.stores.all())
        missing: set[int] = set()
        for store in stores:
            missing |= _missing(store, source_file, chunks)
            context.heartbeat()
        if missing:
            raise Partial(
                f"{len(missing)} of {len(chunks)} passages are not in every store.", "Try again.", {"chunks": sorted(missing)}
            )
        return {"stores": len(stores), "chunks": len(chunks), "probed": chunks[0].pk}


def _missing(store: Store, source_file: SourceFile, chunks: list[Chunk]) -> set[int]:
    asked = chunks[0]
    text = embedded_text(asked.text, asked.headings)
    only_this_file = Selection(source_files=frozenset({source_file.pk}))
    if store.kind == Store.Kind.VECTOR:
        vectors, at = vector_store_of(store)
        found = vectors.nearest(at, embedder_of(store).embed_documents([text])[0], top_k=_TOP_K, selection=only_this_file)
        held = set(vectors.held(at, source_file.pk))
    else:
        words, index = keyword_store_of(store)
        query = keyword_query(" ".join(text.split()[:_WORDS]), language=index.language)
        found = words.find(index, query, top_k=len(chunks), selection=only_this_file)
        held = set(words.held(index, source_file.pk))
        if query.is_empty:
            return {chunk.pk for chunk in chunks} - held
    if not found:
        raise StageError(
            f"The store {store.name} doesn't find the file by its own words.", advice=f"Run: manage.py rebuild_store {store.pk}."
        )
    return {chunk.pk for chunk in chunks} - held
