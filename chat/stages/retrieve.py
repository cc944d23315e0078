"""Search the library and number what was found; evidence of all rounds is united, and a number never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings

from chat.core.injection import suspicions
from chat.core.source import Source, numbered_from, spans_from
from chat.offloading import in_thread
from chat.turn_run import TurnRun
from corpus.models import Chunk
from corpus.models.visibility import type_of_user
from retrieval.search import FoundChunk, SearchRequest, search


async def retrieve(run: TurnRun) -> None:
    """Search once; a further round searches deeper or for something else."""
    with run.stage("retrieve", "Searching the library" if run.round == 0 else "Searching further") as step:
        response = await in_thread(search, request_of(run))
        found = without_orders(run, await in_thread(as_sources, run.user, response.hits))
        held = len(run.sources)
        unite(run, found)
        new = len(run.sources) - held
        run.may_deepen = new > 0
        run.is_searched_out = run.round > 0 and new == 0
        step.summary = f"{new} passages" if run.round == 0 else f"{new} further passages"
        run.trace.setdefault("searches", []).append(response.trace)
        for notice in response.notices:
            run.notice(notice)
    run.round += 1


def without_orders(run: TurnRun, found: Sequence[Source]) -> tuple[Source, ...]:
    """Leave out what reads like an order to a model or hides text from people, where a model reads it; and say so."""
    if not run.models.has_model("answer") or settings.KEEP_SUSPICIOUS:
        return tuple(found)
    kept = tuple(source for source in found if not suspicions(source.text, most=1))
    if left_out := [source for source in found if source not in kept]:
        run.trace.setdefault("suspicious", []).extend(source.chunk_id for source in left_out)
        names = ", ".join(dict.fromkeys(source.title for source in left_out))
        run.notice(f"Left out, since it holds text that reads like an order to a model: {names}.", level="warning")
    return kept


def request_of(run: TurnRun) -> SearchRequest:
    """Return the request of the next round."""
    return SearchRequest(
        text=run.standalone or run.question,
        user=run.user,
        domains=run.domains,
        where=run.where,
        queries=run.queries,
        keywords=run.keywords,
        limit=settings.TURN_SOURCES,
        round=run.round,
    )


def unite(run: TurnRun, found: Sequence[Source]) -> tuple[Source, ...]:
    """Add what is new to the evidence, tell the reader, and return the found sources with their numbers."""
    held = {source.chunk_id for source in run.sources}
    n = numbered_from(run.sources)
    new = [source for source in found if source.chunk_id not in held]
    run.sources += tuple(replace(source, n=n + place) for place, source in enumerate(new))
    run.log.emit("sources", sources=[source.as_shown() for source in run.sources])
    chunks = {source.chunk_id for source in found}
    return tuple(source for source in run.sources if source.chunk_id in chunks)


def as_sources(user: type_of_user, hits: Sequence[FoundChunk]) -> tuple[Source, ...]:
    """Return what was found with all that an answer needs of it; what the user may not see is left out."""
    rows = Chunk.objects.visible_to(user).select_related("source_file__collection__domain").in_bulk([h.chunk_id for h in hits])
    return tuple(_as_source(hit, rows[hit.chunk_id]) for hit in hits if hit.chunk_id in rows)


def _as_source(hit: FoundChunk, chunk: Chunk) -> Source:
    domain = chunk.source_file.collection.domain
    return Source(
        n=1,
        chunk_id=chunk.pk,
        source_file_id=chunk.source_file_id,
        domain=domain.slug,
        domain_id=domain.pk,
        text=chunk.text,
        headings=tuple(chunk.headings),
        kind=chunk.kind,
        pages=tuple(chunk.pages),
        spans=spans_from(chunk.spans),
        metadata=hit.metadata,
        file_name=hit.file_name,
        media_type=chunk.source_file.media_type,
        score=hit.score,
    )
