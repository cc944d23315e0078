"""Recency, rerankers' scales, depths, pages, parents, tables of contents."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.contents import headings_of, joined, scores_by_marks
from retrieval.core.depth import Depth
from retrieval.core.hit import Hit
from retrieval.core.paging import Page, candidate_window
from retrieval.core.parents import with_parents
from retrieval.core.recency import blend_recency
from retrieval.core.rerank_scale import blended, normalised
from retrieval.core.tags import tag_likeness

SCORES = st.lists(st.floats(-50, 50), min_size=1, max_size=12)


@given(scores=SCORES, scale=st.sampled_from(["probability", "logit", "cosine", "unknown"]))
def test_every_scale_ends_between_0_and_1_and_keeps_the_order(scores: list[float], scale: str) -> None:
    scaled = normalised(scores, scale=scale)  # type: ignore[arg-type]
    assert all(0 <= score <= 1 for score in scaled)
    for one, two in zip(sorted(zip(scores, scaled, strict=True)), sorted(zip(scores, scaled, strict=True))[1:], strict=False):
        assert one[1] <= two[1]


@given(score=st.floats(-30, 30), others=SCORES)
def test_a_logit_means_the_same_in_every_batch(score: float, others: list[float]) -> None:
    assert normalised([score, *others], scale="logit")[0] == normalised([score], scale="logit")[0]


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="no number"):
        normalised([0.5, wrong])


def test_a_weight_outside_of_its_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        blended(term=0.5, vector=0.5, vector_weight=1.5)


def test_weight_0_leaves_the_run_as_it_is() -> None:
    run = (Hit(1, 0.1), Hit(2, 0.9))
    assert blend_recency(run, {1: 2020, 2: 1990}, weight=0) is run


def test_one_old_work_does_not_make_all_others_equally_new() -> None:
    run = tuple(Hit(n, 0.5) for n in range(1, 8))
    years = {1: 1890, 2: 2015, 3: 2016, 4: 2017, 5: 2018, 6: 2019, 7: 2024}
    robust = {hit.chunk_id: hit.score for hit in blend_recency(run, years, weight=1.0)}
    plain = {hit.chunk_id: hit.score for hit in blend_recency(run, years, weight=1.0, robust=False)}
    assert robust[7] - robust[2] > 2 * (plain[7] - plain[2])


@given(first=st.integers(1, 50), most=st.integers(1, 100), step=st.integers(1, 20), rounds=st.integers(0, 20))
def test_depth_grows_in_whole_steps_and_never_past_its_limit(first: int, most: int, step: int, rounds: int) -> None:
    depth = Depth(first, most, step)
    reached = depth.at(rounds)
    assert reached <= max(first, most)
    assert (reached - first) % step == 0


@given(page_size=st.integers(2, 200), top_k=st.integers(0, 500))
def test_a_window_is_made_of_whole_pages(page_size: int, top_k: int) -> None:
    assert candidate_window(page_size, top_k=top_k) % page_size == 0


@given(size=st.integers(1, 40), total=st.integers(0, 200))
def test_pages_cut_a_block_without_gap_or_overlap(size: int, total: int) -> None:
    block = list(range(total))
    assert [one for number in range(1, total // size + 2) for one in Page(number, size).cut(block)] == block


@pytest.mark.parametrize(("number", "size"), [("0", 10), ("x", 10), (1, 0), (1, 10_000)])
def test_what_is_no_page_is_refused(number: object, size: object) -> None:
    with pytest.raises(ValueError, match="page"):
        Page.of(number, size)


def test_children_that_cannot_be_replaced_stay() -> None:
    run = (Hit(1, 0.9), Hit(2, 0.8), Hit(3, 0.7))
    assert [hit.chunk_id for hit in with_parents(run, {1: 10, 2: 10, 3: 30}, readable={30})] == [1, 2, 30]


def test_headings_hold_their_chunks_and_those_below() -> None:
    contents = headings_of([(1, ["A"]), (2, ["A", "B"]), (3, [])])
    assert [(heading.title, heading.chunks) for heading in contents] == [("A", (1, 2)), ("B", (2,))]
    assert scores_by_marks(contents, [0, 5], limit=5) == (Hit(2, 1.0),)
    assert joined((), scores_by_marks(contents, [0, 5], limit=5)) == (Hit(2, 1.0),)


@given(tags=st.dictionaries(st.text(max_size=3), st.floats(0.1, 9), max_size=4))
def test_tags_are_wholly_like_themselves(tags: dict[str, float]) -> None:
    assert tag_likeness(tags, tags) == pytest.approx(1.0 if tags else 0.0)
