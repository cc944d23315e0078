"""A domain's golden questions, measured through the search that serves."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.conf import settings
from django.contrib.auth.models import User

from corpus.models import Domain
from retrieval.evaluation.beir import Qrels
from retrieval.evaluation.measures import measure
from retrieval.models import EvaluationRun, GoldenQuestion, Store
from retrieval.search import FoundChunk, SearchRequest, search
from retrieval.search.scope import depth_of, label_of

_DEPTH = 100


class NothingToMeasure(ValueError):  # noqa: N818 -- read as a sentence
    """A domain has no judged golden questions."""

    retryable = False
    advice = "Add golden questions with the files that should be found, in the admin or from the search debugger."


def measure_domain(
    domain: Domain, *, label: str = "", asker: User | None = None, request: SearchRequest | None = None
) -> EvaluationRun:
    """Ask every judged golden question and keep the measures.

    Args:
        domain: whose questions.
        label: what is tried, for the list of runs.
        asker: who wanted it.
        request: options to try out (weights, reranker, threshold); text, user and domains are set here. None: as it serves.

    Raises:
        NothingToMeasure: there are no judged questions.
    """
    questions = list(
        GoldenQuestion.objects.filter(domain=domain, judgements__isnull=False).distinct().prefetch_related("judgements")
    )
    if not questions:
        raise NothingToMeasure(f"{domain} has no judged golden questions.")
    anybody = User(username="evaluation", is_superuser=True)
    base = request or SearchRequest(text="", user=anybody)
    qrels: Qrels = {}
    lists: dict[str, dict[str, float]] = {}
    began = time.perf_counter()
    for question in questions:
        judged = _judged(question)
        asked = replace(base, text=question.text, user=anybody, domains=(domain.slug,), limit=_DEPTH)
        qrels[str(question.pk)] = judged
        lists[str(question.pk)] = as_targets(search(asked).hits, judged)
    took_ms = int((time.perf_counter() - began) * 1000)
    found = measure(qrels, lists)
    return EvaluationRun.objects.create(
        domain=domain,
        label=label,
        configuration=configuration(domain, request),
        measures={name: {"mean": one.mean, "low": one.low, "high": one.high} for name, one in found.items()},
        per_question={name: one.per_query for name, one in found.items()},
        question_count=len(questions),
        took_ms=took_ms,
        live=request is None,
        created_by=asker,
    )


def as_targets(hits: Iterable[FoundChunk], judged: Mapping[str, int]) -> dict[str, float]:
    """Turn hits into what is judged: a passage if it is judged itself, else its file, which counts where it comes first."""
    targets: dict[str, float] = {}
    for hit in hits:
        passage = f"passage {hit.chunk_id}"
        targets.setdefault(passage if passage in judged else f"file {hit.source_file_id}", 1.0 / hit.rank)
    return targets


def configuration(domain: Domain, request: SearchRequest | None) -> dict[str, object]:
    """Return what was measured: stores with what they were made with, and the options that were tried."""
    stores = Store.objects.filter(collection__domain=domain, enabled=True).select_related("collection__domain")
    tried = {name: getattr(request, name) for name in ("weights", "rerank", "threshold", "expand")} if request else {}
    return {
        "stores": {
            label_of(store): [store.backend, store.model or store.analyzer, depth_of(store).default_k] for store in stores
        },
        "fusion": settings.SEARCH_FUSION,
        "reranker": settings.RERANKER,
        "recency_weight": domain.recency_weight,
        **tried,
    }


def _judged(question: GoldenQuestion) -> dict[str, int]:
    judged: dict[str, int] = {}
    for one in question.judgements.all():
        judged[f"passage {one.chunk_id}" if one.chunk_id else f"file {one.source_file_id}"] = one.relevance
    return judged
