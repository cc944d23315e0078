"""Budgets, memory, history, events, delivery."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.core.budget import QuestionTooLong, TurnBudget, estimated_tokens, fit
from chat.core.delivery import BEST_EFFORT, CLARIFY, NOT_FROM_LIBRARY, RETRY, delivered
from chat.core.events import Event, MalformedEvent, read_event, told_by
from chat.core.history import standalone_of, with_absolute_dates
from chat.core.memory import Exchange, remembered
from chat.core.search_words import keywords_of, translations_of

EXCHANGES = st.lists(st.integers(1, 400), max_size=12).map(
    lambda lengths: [Exchange(n, "q", "a" * length) for n, length in enumerate(lengths, start=1)]
)


@given(costs=st.lists(st.integers(1, 50), max_size=10), fixed=st.integers(0, 60), most=st.integers(0, 200))
def test_whole_sources_go_from_the_weakest_up(costs: list[int], fixed: int, most: int) -> None:
    numbered = list(enumerate(costs))
    if fixed > most:
        with pytest.raises(QuestionTooLong, match="tokens"):
            fit(numbered, fixed=fixed, most=most, cost=lambda one: one[1])
        return
    fitted = fit(numbered, fixed=fixed, most=most, cost=lambda one: one[1])
    assert fixed + sum(cost for _, cost in fitted.kept) <= most
    assert list(fitted.kept) == numbered[: len(fitted.kept)]
    assert sorted([*fitted.kept, *fitted.dropped]) == numbered


def test_strength_decides_what_goes_first() -> None:
    assert fit(["a", "b"], fixed=0, most=1, cost=len, strength={"a": 0.1, "b": 0.9}.__getitem__).kept == ("b",)


def test_a_budget_says_what_is_used_up() -> None:
    budget = TurnBudget(calls=3, tokens=100, seconds=60)
    assert budget.exhausted_by == ""
    assert budget.after(tokens=100).exhausted_by == "100 tokens"
    assert budget.after(seconds=61.0).exhausted_by == "60 seconds"
    assert budget.after(calls=1).allows_round(calls=2, seconds=10)
    assert not budget.after(calls=2).allows_round(calls=2, seconds=10)


@given(text=st.text(max_size=200))
def test_tokens_are_never_estimated_as_none(text: str) -> None:
    assert estimated_tokens(text) >= len(text) / 3


@given(exchanges=EXCHANGES, till=st.integers(0, 5), window=st.integers(50, 500), least=st.integers(1, 500))
def test_window_and_summary_never_overlap_and_lose_nothing(exchanges: list[Exchange], till: int, window: int, least: int) -> None:
    memory = remembered(exchanges, summarised_till=till, window=window, summarised_from=least)
    open_ones = [exchange for exchange in exchanges if exchange.ordinal > till]
    assert [*memory.to_summarise, *memory.window] == open_ones
    assert not open_ones or memory.window
    if memory.to_summarise:
        assert memory.summarised_till == memory.to_summarise[-1].ordinal
        assert len(memory.window) == 1 or sum(exchange.length for exchange in memory.window) <= window
    else:
        assert memory.summarised_till == till


def test_days_become_dates_in_several_languages() -> None:
    today = date(2025, 3, 2)
    assert with_absolute_dates("Wetter gestern?", today=today, language="de") == "Wetter gestern (2025-03-01)?"
    assert with_absolute_dates("Guten morgen", today=today) == "Guten morgen"


@pytest.mark.parametrize("reply", ["", "  ", "**ERROR**: quota", "Error 500"])
def test_a_follow_up_that_could_not_be_rewritten_stays(reply: str) -> None:
    assert standalone_of("and then?", reply) == standalone_of("and then?", reply)
    assert (standalone_of("and then?", reply).text, standalone_of("and then?", reply).failed) == ("and then?", True)


def test_failed_replies_add_nothing_to_a_search() -> None:
    assert translations_of("heron", "**ERROR**: quota") == ("heron",)
    assert keywords_of("**ERROR**: quota") == ()


def test_an_event_goes_out_and_comes_back() -> None:
    event = Event(3, 7, "stage.finished", {"stage": "plan", "label": "Planning", "took_ms": 12, "summary": "1 domain"})
    assert read_event(event.as_json()) == event


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"seq": 0, "turn": 1, "type": "delta", "text": "x"},
        {"seq": True, "turn": 1, "type": "delta", "text": "x"},
        {"seq": 1, "turn": 1, "type": "dance"},
        {"seq": 1, "turn": 1, "type": "delta"},
        {"seq": 1, "turn": 1, "type": "stage.finished", "stage": "a", "label": "b", "took_ms": True, "summary": ""},
    ],
)
def test_what_is_no_event_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(MalformedEvent):
        read_event(given)


def test_a_stream_tells_the_last_revised_answer() -> None:
    events = [
        Event(1, 7, "delta", {"text": "It f"}),
        Event(2, 7, "revised", {"text": "It rests"}),
        Event(3, 7, "delta", {"text": "."}),
        Event(4, 7, "finished", {"answer": "It rests.", "kind": "library", "took_ms": 1}),
    ]
    told = told_by(events)
    assert (told.answer, told.last_seq, told.ended) == ("It rests.", 4, "finished")


@pytest.mark.parametrize("wrong", [[1, 3], [1, 1], [2]])
def test_a_gap_in_a_stream_is_noticed(wrong: list[int]) -> None:
    with pytest.raises(MalformedEvent, match="missing"):
        told_by(Event(seq, 7, "delta", {"text": "x"}) for seq in wrong)


def test_nothing_follows_the_end() -> None:
    with pytest.raises(MalformedEvent, match="after stopped"):
        told_by([Event(1, 7, "stopped", {"answer": ""}), Event(2, 7, "delta", {"text": "x"})])


def test_every_outcome_has_its_mark() -> None:
    assert delivered("A.", "continue") == "A."
    assert delivered("A.", "best_effort").startswith(BEST_EFFORT)
    assert delivered("A.", "fallback", domains=["d"]).startswith(NOT_FROM_LIBRARY)
    assert delivered("A.", "clarify") == CLARIFY
    assert delivered("<think>x</think>", "continue") == RETRY
