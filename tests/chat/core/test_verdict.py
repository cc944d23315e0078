"""The table of verdicts has exactly one outcome for everything, and every path through it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.core.verdict import SCORES, TABLE, Evaluation, Outcome, Situation, grading_can_matter, read_evaluation, verdict

SCORE = st.sampled_from([0.0, 0.29, 0.3, 0.4, 0.49, 0.5, 0.79, 0.9, 1.0])
NEXT = st.sampled_from(["continue", "retrieve_more", "modify_query", "rewrite_answer", "undefined"])
EVALUATION = st.builds(Evaluation, SCORE, SCORE, SCORE, SCORE, SCORE, SCORE, NEXT, st.just(""))
SITUATION = st.builds(
    Situation,
    has_answer=st.booleans(),
    retrievals=st.integers(0, 6),
    rewrites=st.integers(0, 2),
    has_stores=st.booleans(),
    can_deepen=st.booleans(),
    may_fall_back=st.booleans(),
    unsupported=st.integers(0, 2),
    out_of_budget=st.booleans(),
)


@given(evaluation=st.none() | EVALUATION, situation=SITUATION)
def test_everything_has_an_outcome_that_the_limits_allow(evaluation: Evaluation | None, situation: Situation) -> None:
    outcome = verdict(evaluation, situation).outcome
    assert outcome in get_args(Outcome)
    if outcome in {"retrieve_more", "modify_query"}:
        assert situation.may_retrieve
    if outcome == "retrieve_more":
        assert situation.can_deepen
    if outcome == "rewrite_answer":
        assert situation.may_rewrite
    if outcome == "fallback":
        assert situation.may_fall_back
    if outcome == "continue":
        assert situation.has_answer


@given(evaluation=st.none() | EVALUATION, situation=SITUATION)
def test_a_turn_ends_whatever_the_grader_says(evaluation: Evaluation | None, situation: Situation) -> None:
    for _ in range(20):
        outcome = verdict(evaluation, situation).outcome
        if outcome in {"retrieve_more", "modify_query"}:
            situation = replace(situation, retrievals=situation.retrievals + 1)
        elif outcome == "rewrite_answer":
            situation = replace(situation, rewrites=situation.rewrites + 1)
        else:
            return
    pytest.fail("the turn goes on for ever")


@given(situation=SITUATION)
def test_a_grader_that_failed_never_leads_to_another_search(situation: Situation) -> None:
    assert verdict(None, situation).outcome in {"rewrite_answer", "best_effort", "clarify"}


@given(situation=SITUATION)
def test_a_spent_budget_ends_the_turn(situation: Situation) -> None:
    spent = replace(situation, out_of_budget=True)
    assert verdict(Evaluation(0.1, 0.1), spent).outcome in {"fallback", "clarify"}


def test_unsupported_sentences_are_rewritten_once_and_then_delivered_marked() -> None:
    good = Evaluation(0.9, 0.9, 0.9, 0.9, 0.9, 0.9, "continue", "The second sentence has no source.")
    first = verdict(good, Situation(unsupported=1))
    assert (first.outcome, first.feedback) == ("rewrite_answer", "The second sentence has no source.")
    assert verdict(good, Situation(unsupported=1, rewrites=1)).outcome == "continue"


def test_the_last_row_of_the_table_matches_always() -> None:
    assert TABLE[-1][0] == "the rest"


@pytest.mark.parametrize("reply", [{}, {"coverage": "high"}, {"summary": "fine"}, {"coverage": None}, {"coverage": float("nan")}])
def test_a_reply_without_scores_is_no_evaluation(reply: dict[str, object]) -> None:
    assert read_evaluation(reply) is None


def test_scores_are_limited_and_absent_ones_are_0() -> None:
    read = read_evaluation({"coverage": 7, "confidence": -1, "next_step": "dance", "summary": " a\n b "})
    assert read == Evaluation(coverage=1.0, next_step="undefined", summary="a b")
    assert read.least == 0.0
    assert len(SCORES) == 6


def test_grading_is_spared_where_it_changes_nothing() -> None:
    assert not grading_can_matter(Situation(out_of_budget=True), evidence=0.1)
    assert not grading_can_matter(Situation(), evidence=0.95)
    assert grading_can_matter(Situation(unsupported=1), evidence=0.95)
    assert grading_can_matter(Situation(), evidence=0.4)
