"""A search from end to end, in the order in which it happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.conf import settings

from corpus.core.text import normalize_text
from retrieval.core.hit import Run
from retrieval.core.selection import Selection
from retrieval.search.asking import Question, ask_all
from retrieval.search.evidence import Evidence
from retrieval.search.loading import Loaded, load, load_neighbours, places
from retrieval.search.ranking import BLOCK, drop_duplicates, fuse, prefer_new, ranks_of, refine, rerank
from retrieval.search.request import FoundChunk, SearchRequest, SearchResponse
from retrieval.search.scope import Scope, depth_of, scope_of
from retrieval.search.scoring import Scoring
from retrieval.search.trace import Trace

_REACH: Final = 1
_MOST_K: Final = 1_000


def search(request: SearchRequest) -> SearchResponse:
    """Search every store that the request reaches, and merge what they find.

    Thread safe and synchronous; from async code call it in a thread. Equal requests on equal contents give equal answers.

    Raises:
        UnknownScope: the request names a domain, collection or file that the user can't see.
        SearchUnavailable: no store answered. Retryable.
    """
    trace = Trace()
    questions = _questions(request)
    if not questions or request.limit <= 0:
        return SearchResponse((), 0, (), trace.told(question=request.text))
    request = replace(request, text=questions[0].text)
    with trace.step("scope") as told:
        scope = scope_of(request, trace)
        told["stores"] = [store.pk for store in scope.stores]
    response = _find(request, scope, questions, trace)
    relaxed = [domain for domain in scope.filtered_out if (domain.relax_filters if request.relax is None else request.relax)]
    if not response.hits and relaxed:
        names = ", ".join(sorted(domain.name for domain in relaxed))
        trace.notice(f"Nothing in {names} passes the filter; it was left out.")
        response = _find(request, _unfiltered(scope, {domain.pk for domain in relaxed}), questions, trace)
    return response


def _questions(request: SearchRequest) -> list[Question]:
    texts = dict.fromkeys(normalize_text(text)[: settings.QUESTION_MAX_CHARACTERS] for text in (request.text, *request.queries))
    return [Question(text, normalize_text(request.keywords) if place == 0 else "") for place, text in enumerate(texts) if text]


def _unfiltered(scope: Scope, domains: set[int]) -> Scope:
    return scope.without(
        {
            store.collection_id: Selection(source_files=scope.selections[store.collection_id].source_files)
            if store.collection.domain_id in domains
            else Selection(labels=frozenset())
            for store in scope.stores
        }
    )


def _find(request: SearchRequest, scope: Scope, questions: Sequence[Question], trace: Trace) -> SearchResponse:
    wanted = request.offset + request.limit
    answers = ask_all(scope, questions, lambda store: min(_MOST_K, max(depth_of(store).at(request.round), wanted)), trace)
    fused = fuse(answers, request.weights, trace)
    with trace.step("permit") as told:
        evidence = Evidence(answers, questions, places(request.user, (hit.chunk_id for hit in fused)))
        told["lost"] = [hit.chunk_id for hit in fused if hit.chunk_id not in evidence.places]
    run = refine(tuple(hit for hit in fused if hit.chunk_id in evidence.places), evidence, request.weights, trace)
    deep = len(run) if request.threshold > 0 else max(2 * wanted, BLOCK)
    with trace.step("load"):
        loaded = load(request.user, (hit.chunk_id for hit in run[:deep]))
    head = tuple(hit for hit in run[:deep] if hit.chunk_id in loaded)
    scoring = Scoring(evidence, loaded)
    head = rerank(head, loaded, request, trace)
    head = drop_duplicates(head, loaded, wanted, trace)
    head = prefer_new(head, scoring, scope.domains, wanted, trace)
    hits, total = _cut(request, head, scoring, trace)
    total += len(run[deep:])
    return SearchResponse(
        hits, total, tuple(trace.notices), trace.told(question=request.text, queries=[q.text for q in questions])
    )


def _cut(request: SearchRequest, run: Run, scoring: Scoring, trace: Trace) -> tuple[tuple[FoundChunk, ...], int]:
    """Apply the threshold and take the page."""
    end = request.offset + request.limit
    with trace.step("cut", threshold=request.threshold, limit=request.limit, offset=request.offset) as told:
        window = run if request.threshold > 0 else run[:end]
        scores = scoring.of(hit.chunk_id for hit in window)
        passing = [hit for hit in window if scores[hit.chunk_id] >= request.threshold]
        page = passing[request.offset : end]
        told["hits"] = [[hit.chunk_id, round(scores[hit.chunk_id], 4)] for hit in page]
        told["below_threshold"] = [hit.chunk_id for hit in window if scores[hit.chunk_id] < request.threshold]
    ranks = ranks_of(scoring.evidence.answers)
    found = [
        _found(scoring.loaded[hit.chunk_id], scores[hit.chunk_id], rank, ranks.get(hit.chunk_id, {}))
        for rank, hit in enumerate(page, start=request.offset + 1)
    ]
    total = len(passing) if request.threshold > 0 else len(run)
    return tuple(_with_neighbours(request, found, scoring.loaded) if request.expand else found), total


def _found(row: Loaded, score: float, rank: int, ranks: dict[str, int]) -> FoundChunk:
    return FoundChunk(
        chunk_id=row.chunk_id,
        source_file_id=row.source_file_id,
        domain=row.domain,
        text=row.text,
        headings=row.headings,
        pages=row.pages,
        metadata=row.metadata,
        file_name=row.path,
        score=score,
        rank=rank,
        ranks=ranks,
    )


def _with_neighbours(request: SearchRequest, found: list[FoundChunk], loaded: Mapping[int, Loaded]) -> list[FoundChunk]:
    """Put after each hit the passages that stand next to it in its section, unless they are hits themselves."""
    beside = load_neighbours(request.user, [loaded[hit.chunk_id] for hit in found], reach=_REACH)
    given = {hit.chunk_id for hit in found}
    result: list[FoundChunk] = []
    for hit in found:
        result.append(hit)
        for row in beside[hit.chunk_id]:
            if row.chunk_id not in given:
                given.add(row.chunk_id)
                result.append(replace(_found(row, hit.score, hit.rank, {}), beside=hit.chunk_id))
    return result
