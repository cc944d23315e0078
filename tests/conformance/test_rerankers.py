"""What every reranker promises."""

from __future__ import annotations

import math

import pytest

from retrieval.reranker import Reranker, RerankerTimedOut
from tests.conformance.implementations import classes_in

RERANKERS = list(classes_in("retrieval.rerankers", having="scores"))
PASSAGES = [
    "The budget of the library was discussed on Tuesday.",
    "Calcium channels open when the membrane is depolarised.",
    "",
    "ion " * 2000,
]


@pytest.fixture(scope="module", params=RERANKERS, ids=lambda found: found.__name__)
def reranker(request: pytest.FixtureRequest) -> Reranker:
    made: Reranker = request.param()
    return made


def test_each_passage_has_a_finite_score(reranker: Reranker) -> None:
    scores = reranker.scores("When do calcium channels open?", PASSAGES, time_limit_s=60)
    assert len(scores) == len(PASSAGES)
    assert all(math.isfinite(score) for score in scores)


def test_nothing_to_read_has_no_scores(reranker: Reranker) -> None:
    assert reranker.scores("When?", [], time_limit_s=60) == []


def test_one_that_reads_prefers_the_answer(reranker: Reranker) -> None:
    scores = reranker.scores("When do calcium channels open?", PASSAGES[:2], time_limit_s=60)
    assert scores[1] > scores[0] or not reranker.reads


def test_a_score_does_not_depend_on_the_neighbours(reranker: Reranker) -> None:
    question = "When do calcium channels open?"
    alone = reranker.scores(question, PASSAGES[1:2], time_limit_s=60)[0]
    among = reranker.scores(question, [PASSAGES[3], PASSAGES[1]], time_limit_s=60)[1]
    assert alone == pytest.approx(among, abs=1e-5)


def test_one_that_reads_keeps_the_time_limit(reranker: Reranker) -> None:
    if not reranker.reads:
        assert reranker.scores("When?", PASSAGES, time_limit_s=0.0)
        return
    with pytest.raises(RerankerTimedOut, match="KLEA_RERANK_SECONDS"):
        reranker.scores("When?", PASSAGES * 20, time_limit_s=0.0)


def test_the_scale_is_declared(reranker: Reranker) -> None:
    assert reranker.scale in {"probability", "logit", "cosine", "unknown"}
    assert reranker.name
