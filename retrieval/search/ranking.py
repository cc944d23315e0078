"""From the stores' answers to one order: fusion, reranker, recency, duplicates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from django.conf import settings

from corpus.backend import from_settings
from corpus.models import Domain
from retrieval.core.duplicates import fold_duplicates
from retrieval.core.fusion.reciprocal_rank import reciprocal_rank_fusion
from retrieval.core.fusion.standard_scores import Ranking, standard_score_fusion
from retrieval.core.hit import Hit, Run
from retrieval.core.recency import blend_recency, falling, year_of
from retrieval.models import Store
from retrieval.reranker import Reranker, RerankerUnavailable, scores_of
from retrieval.search.asking import Asked
from retrieval.search.evidence import Evidence, pooled
from retrieval.search.loading import Loaded
from retrieval.search.request import SearchRequest
from retrieval.search.scope import label_of
from retrieval.search.scoring import Scoring
from retrieval.search.trace import Trace, as_pairs

KIND_WEIGHTS: Final[dict[str, float]] = {Store.Kind.VECTOR.value: 0.4, Store.Kind.BM25.value: 0.6}
RERANKED: Final = 20
BLOCK: Final = 20
_RERANK_WEIGHT: Final = 0.5


def fuse(answers: Sequence[Asked], weights: Mapping[int, float], trace: Trace) -> Run:
    """Fuse the answers by their ranks, each store's list of each query by itself."""
    with trace.step("fuse", method="reciprocal ranks", k=60, weights=dict(weights)) as told:
        run = reciprocal_rank_fusion(
            [answer.run for answer in answers], weights=[weights.get(answer.store.pk, 1.0) for answer in answers]
        )
        told["hits"] = as_pairs(run)
    return run


def refine(run: Run, evidence: Evidence, weights: Mapping[int, float], trace: Trace) -> Run:
    """Order the candidates by how well they fit, not only by their ranks; each query by itself.

    The orders of several queries are fused by rank without an offset, so that the best passage of each stands at the top.
    """
    if settings.SEARCH_FUSION != "standard-scores" or not run:
        return run
    with trace.step("refine", method="standard scores", kinds=KIND_WEIGHTS) as told:
        orders = [_ordered(evidence, place, weights) for place in range(len(evidence.questions))]
        refined = orders[0] if len(orders) == 1 else reciprocal_rank_fusion(orders, k=0)
        told["hits"] = as_pairs(refined)
    return refined


def _ordered(evidence: Evidence, query: int, weights: Mapping[int, float]) -> Run:
    near = evidence.answers_to(query, Store.Kind.VECTOR)
    rankings: list[Ranking] = []
    for kind, weight in KIND_WEIGHTS.items():
        for group in _on_one_scale(evidence.answers_to(query, kind)):
            known = {chunk_id: cosine for answer in group for chunk_id, cosine in evidence.cosines(answer).items()}
            could = {chunk for answer in group for chunk in evidence.by_collection.get(answer.store.collection_id, ())}
            counts = max(weights.get(answer.store.pk, 1.0) for answer in group)
            rankings.append(Ranking(pooled([evidence.found(answer) for answer in group]), weight * counts, known, could))
    main = _on_one_scale(near)[:1]
    vectors = {
        chunk_id: vector for answer in (main[0] if main else []) for chunk_id, vector in evidence.vectors_of(answer.store).items()
    }
    return standard_score_fusion(rankings, vectors=vectors)


def _on_one_scale(answers: Sequence[Asked]) -> list[list[Asked]]:
    """Group answers whose scores can be compared: of one model or one analysis. The largest group comes first."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for answer in answers:
        groups[answer.store.model or answer.store.analyzer].append(answer)
    return sorted(groups.values(), key=lambda group: -sum(len(answer.run) for answer in group))


def rerank(run: Run, loaded: Mapping[int, Loaded], request: SearchRequest, trace: Trace) -> Run:
    """Let the reranker read the best with the question, and fuse its order with the one there was."""
    reranker: Reranker = from_settings("RERANKERS", _chosen(request))
    if not reranker.reads or not run:
        return run
    head, tail = run[:RERANKED], run[RERANKED:]
    with trace.step("rerank", model=reranker.name, scale=reranker.scale) as told:
        passages = [loaded[hit.chunk_id].text for hit in head]
        try:
            scores = scores_of(reranker, request.text, passages, time_limit_s=settings.RERANK_SECONDS)
        except RerankerUnavailable as error:
            told["failed"] = str(error)
            trace.notice(f"The reranker was left out. {error}")
            return run
        read = tuple(sorted((Hit(hit.chunk_id, score) for hit, score in zip(head, scores.raw, strict=True)), key=_best))
        blended = reciprocal_rank_fusion([head, read], weights=[1.0, _RERANK_WEIGHT])
        told["raw"] = as_pairs(read)
        told["normalised"] = [[hit.chunk_id, round(score, 4)] for hit, score in zip(head, scores.normalised, strict=True)]
        told["hits"] = as_pairs(blended)
    return blended + tail


def prefer_new(run: Run, scoring: Scoring, domains: Mapping[int, Domain], wanted: int, trace: Trace) -> Run:
    """Blend recency into each domain's hits, by the domain's weight; the domains keep their places.

    What counts as relevance is the calibrated score, as far as it falls along the run: fused ranks say which passage is the
    better one, not by how much, and a new passage must not pass an old one that fits far better. Hits move within blocks of
    `BLOCK`, so that pages cut one order.
    """
    end = -(-wanted // BLOCK) * BLOCK
    head, tail = run[:end], run[end:]
    weights = {scoring.loaded[hit.chunk_id].domain_id: 0.0 for hit in head}
    weights = {pk: domains[pk].recency_weight for pk in weights}
    years = {hit.chunk_id: year_of(scoring.loaded[hit.chunk_id].metadata) for hit in head}
    if not any(weights.values()) or not any(year is not None for year in years.values()):
        return run
    with trace.step("recency", weights={domains[pk].slug: weight for pk, weight in weights.items()}) as told:
        blocks = (_blend(head[start : start + BLOCK], scoring, weights, years) for start in range(0, len(head), BLOCK))
        mixed = tuple(hit for block in blocks for hit in block)
        told["hits"] = as_pairs(mixed)
    return mixed + tail


def _blend(block: Run, scoring: Scoring, weights: Mapping[int, float], years: Mapping[int, int | None]) -> Run:
    by_domain: dict[int, list[Hit]] = defaultdict(list)
    for hit in falling(block, scoring.of(hit.chunk_id for hit in block)):
        by_domain[scoring.loaded[hit.chunk_id].domain_id].append(hit)
    ordered = {pk: iter(blend_recency(tuple(hits), years, weight=weights[pk])) for pk, hits in by_domain.items()}
    return tuple(next(ordered[scoring.loaded[hit.chunk_id].domain_id]) for hit in block)


def drop_duplicates(run: Run, loaded: Mapping[int, Loaded], wanted: int, trace: Trace) -> Run:
    """Leave out passages that repeat a better one; looked for as far as the reader may come to see."""
    with trace.step("duplicates") as told:
        folded = fold_duplicates([(hit.chunk_id, loaded[hit.chunk_id].text) for hit in run[: 2 * wanted]])
        told["folded"] = [[gone, kept] for gone, kept in folded.items()]
    return tuple(hit for hit in run if hit.chunk_id not in folded)


def ranks_of(answers: Sequence[Asked]) -> dict[int, dict[str, int]]:
    """Return each chunk's best rank in each store that found it."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for answer in answers:
        name = label_of(answer.store)
        for rank, hit in enumerate(answer.run, start=1):
            found[hit.chunk_id][name] = min(rank, found[hit.chunk_id].get(name, rank))
    return found


def _chosen(request: SearchRequest) -> str:
    if request.rerank is None:
        return str(settings.RERANKER)
    if not request.rerank:
        return "identity"
    return str(settings.RERANKER) if settings.RERANKER != "identity" else "cross-encoder"


def _best(hit: Hit) -> tuple[float, int]:
    return -hit.score, hit.chunk_id
