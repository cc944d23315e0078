"""Fusion gives one order, whatever order the runs come in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.fusion.reciprocal_rank import reciprocal_rank_fusion
from retrieval.core.fusion.weighted_sum import weighted_sum_fusion
from retrieval.core.hit import Hit, Run

RUN = st.dictionaries(st.integers(1, 30), st.floats(0, 100), max_size=12).map(
    lambda scores: tuple(Hit(chunk, score) for chunk, score in sorted(scores.items(), key=lambda item: (-item[1], item[0])))
)
RUNS = st.lists(RUN, min_size=1, max_size=5)


@given(runs=RUNS, chance=st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_nothing_in_rank_fusion(runs: list[Run], chance: object) -> None:
    shuffled = list(runs)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert reciprocal_rank_fusion(shuffled) == reciprocal_rank_fusion(runs)


@given(runs=RUNS, chance=st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_nothing_in_weighted_sums(runs: list[Run], chance: object) -> None:
    weighted = [(run, (place + 1) / 10) for place, run in enumerate(runs)]
    shuffled = list(weighted)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = zip(*weighted, strict=True), zip(*shuffled, strict=True)
    assert weighted_sum_fusion(*one) == weighted_sum_fusion(*other)


@given(runs=RUNS)
def test_fusion_returns_every_chunk_once_best_first(runs: list[Run]) -> None:
    fused = reciprocal_rank_fusion(runs)
    assert sorted(hit.chunk_id for hit in fused) == sorted({hit.chunk_id for run in runs for hit in run})
    assert list(fused) == sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


@given(run=RUN)
def test_one_run_keeps_its_order(run: Run) -> None:
    assert [hit.chunk_id for hit in reciprocal_rank_fusion([run])] == [hit.chunk_id for hit in run]


def test_a_chunk_that_two_runs_have_passes_the_first_of_one() -> None:
    assert reciprocal_rank_fusion([(Hit(1, 9.0), Hit(2, 8.0)), (Hit(2, 0.1),)])[0].chunk_id == 2


@pytest.mark.parametrize("weights", [[-1.0], [1.0, 1.0]])
def test_wrong_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- zip's message or ours
        weighted_sum_fusion([(Hit(1, 1.0),)], weights)


def test_a_negative_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        reciprocal_rank_fusion([], k=-1)
