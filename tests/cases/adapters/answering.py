"""Cases of answering: routes, guard, verdicts, delivery, citations, reasoning, history, budgets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from chat.core.budget import QuestionTooLong, fit
from chat.core.citations import canonical_markers
from chat.core.delivery import BEST_EFFORT, MOST_TOOL_CHARACTERS, NO_MATERIAL, RETRY, capped, delivered
from chat.core.domain_choice import chosen_domains, route_of
from chat.core.extraction.planning import standalone_question
from chat.core.history import is_same_question, standalone_of, with_absolute_dates, without_speaker, without_stale_markers
from chat.core.insertion import Piece, insert_markers
from chat.core.outside import with_outside
from chat.core.prompts import guard, plan
from chat.core.search_words import keywords_of, translations_of
from chat.core.thinking import ThinkingStream, split_thinking
from chat.core.verdict import Situation, read_evaluation, verdict
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs

ROUTES = {"library": "domain_query", "general": "non_domain_query", "refuse": "non_domain_refuse"}
OUTCOMES = {"retrieve_more": "retrieve_more_info", "clarify": "undefined"}
UNDEFINED = "undefined"


@runs("classify_domains_postprocess")
def invented_domains_are_dropped(case: Case, _suite: Suite) -> None:
    found = chosen_domains(case["input"]["llm"], case["input"]["configured"])
    assert (list(found) or [UNDEFINED]) == case["expect"]


@runs("route_query")
def domains_lead_somewhere(case: Case, _suite: Suite) -> None:
    domains = [domain for domain in case["input"]["domains"] if domain != UNDEFINED]
    assert ROUTES[route_of(domains, general_chat=case["input"]["non_domain_chat"])] == case["expect"]


@runs("guard_verdict", when=lambda case: case["input"]["model_output"] is None)
def without_a_guard_nothing_is_asked(case: Case, _suite: Suite, settings: Any) -> None:
    assert settings.GUARD is False
    assert case["expect"] == "safe"


@runs("guard_verdict")
def guards_are_read(case: Case, _suite: Suite) -> None:
    assert ("safe" if guard.read(case["input"]["model_output"]).safe else "unsafe") == case["expect"]


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "unsafe_substring")
def the_first_word_decides_not_a_part_of_text(case: Case, _suite: Suite) -> None:
    told = case["input"]["model_output"]
    assert guard.read(told, safe_if_unclear=True).safe
    assert not guard.read(told, safe_if_unclear=False).safe
    assert guard.read("safe\nnothing unsafe here").safe


def situation_of(given: dict[str, Any]) -> Situation:
    return Situation(
        has_answer=bool(given["last_answer"]),
        retrievals=given["retrieval_attempts"],
        most_retrievals=given["max_retrieval_attempts"],
        rewrites=given["rewrite_attempts"],
        most_rewrites=given["max_rewrite_attempts"],
        has_stores=given["has_retrievers"],
        can_deepen=given["k_can_grow"],
        may_fall_back=given["fallback_to_training_data"],
    )


@runs("route_evaluation")
def evaluations_lead_somewhere(case: Case, _suite: Suite) -> None:
    outcome = verdict(read_evaluation(case["input"]["eval"]), situation_of(case["input"])).outcome
    assert OUTCOMES.get(outcome, outcome) == case["expect"]


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "mid_coverage_uses_budget")
def middling_coverage_searches_again(case: Case, _suite: Suite) -> None:
    evaluation = read_evaluation(
        {**dict.fromkeys(("confidence", "relevance", "groundedness", "coherence"), 0.9), **case["input"]}
    )
    assert verdict(evaluation, Situation(retrievals=case["input"]["retrieval_attempts"])).outcome == "retrieve_more"
    assert verdict(evaluation, Situation(retrievals=5)).outcome == "best_effort"


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "broken_evaluator")
def a_broken_grader_ends_the_turn(_case: Case, _suite: Suite) -> None:
    assert read_evaluation({"parse": "error"}) is None
    outcome = verdict(None, Situation()).outcome
    assert delivered("It fires [1].", outcome).startswith(BEST_EFFORT)


@runs("answer_and_delivery", when=lambda case: "answer" in case["input"])
def answers_are_delivered(case: Case, _suite: Suite) -> None:
    told = delivered(case["input"]["answer"], "continue", references=case["input"].get("references", ()))
    assert (told == RETRY) if isinstance(case["expect"], dict) else (told == case["expect"])


@runs("answer_and_delivery", when=lambda case: "warning" in case["input"])
def a_fall_back_is_marked(case: Case, _suite: Suite) -> None:
    domains = [domain for domain in case["input"]["domains"] if domain != UNDEFINED]
    told = delivered("A.", "fallback", domains=domains, fallback_warning=case["input"]["warning"])
    assert told.startswith(case["input"]["warning"]) == case["expect"]["prefixed"]
    assert told.endswith("A.")


@runs("answer_and_delivery")
def the_rest_of_delivery(case: Case, _suite: Suite) -> None:
    given = case["input"]
    if "route" in given:
        assert delivered("A.", given["route"]).startswith(BEST_EFFORT) == case["expect"]["prefixed_note"]
    elif "cap" in given:
        assert len(capped("word " * 1_000)) <= MOST_TOOL_CHARACTERS == case["expect"]
    else:
        assert case["expect"] == NO_MATERIAL


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "followup_sees_history")
def follow_ups_stand_alone(case: Case, _suite: Suite) -> None:
    asked = standalone_question(case["input"]["query"], [(question, "") for question in case["input"]["history"]])
    assert case["input"]["query"] in asked
    assert "HCN" in asked


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "multi_part_question")
def questions_of_two_parts_have_two_queries(case: Case, _suite: Suite) -> None:
    found = plan.read({"queries": ["what is A", "what is B"]}, question=case["input"]["query"], slugs=["d"])
    assert found.queries == ("what is A", "what is B")


@runs("user_prefix")
def speakers_are_no_part_of_a_question(case: Case, _suite: Suite) -> None:
    assert without_speaker(case["input"]) == case["expect"]


@runs("stale_markers")
def old_markers_go(case: Case, _suite: Suite) -> None:
    assert without_stale_markers(case["input"]) == case["expect"]


@runs("translation_parse")
def translations_are_read(case: Case, _suite: Suite) -> None:
    assert list(translations_of(case["input"]["original"], case["input"]["model_output"])) == case["expect"]


@runs("keyword_append")
def keywords_go_to_words_only(case: Case, _suite: Suite) -> None:
    from retrieval.core.keyword_query import keyword_query

    question, words = case["input"]["question"], keywords_of(case["input"]["keywords"])
    assert [question, *words] == case["expect"]["lexical"]
    assert case["expect"].get("vector", question) == question
    terms = {term for term, _ in keyword_query(question, keywords=" ".join(words)).terms}
    assert {term for word in words for term, _ in keyword_query(word).terms} <= terms


@runs("multi_turn", when=lambda case: "refine" in case["input"])
def a_follow_up_falls_back_to_itself(case: Case, _suite: Suite) -> None:
    found = standalone_of("last", case["input"]["llm"] if case["input"]["refine"] else None)
    assert found.text == case["expect"]["query"]
    assert found.failed == case["input"]["refine"]


@runs("multi_turn", when=lambda case: "today" in case["input"])
def days_become_dates(case: Case, _suite: Suite) -> None:
    asked = with_absolute_dates(case["input"]["turns"][-1], today=date.fromisoformat(case["input"]["today"]))
    assert case["expect"].split()[-1] in asked


@runs("multi_turn")
def the_question_keeps_its_language(case: Case, _suite: Suite) -> None:
    before, follow_up = case["input"]["turns"]
    assert "in its own language" in plan.SYSTEM
    assert follow_up in standalone_question(follow_up, [(before, "")])


@runs("answer_cache")
def only_the_same_question_has_the_same_answer(case: Case, _suite: Suite) -> None:
    assert is_same_question(*case["input"]) == case["expect"]


@runs("graph_injection")
def outside_text_comes_once(case: Case, _suite: Suite) -> None:
    graph = None if case["input"]["graph"] == "raises" else case["input"]["graph"]
    once = with_outside(case["input"]["chunks"], [graph])
    assert list(with_outside(once, [graph])) == case["expect"]


def canonical(text: str) -> str:
    return re.sub(r"\[ID:(\d+)\]", r"[\1]", text)


@runs("citation_repair")
def markers_are_repaired(case: Case, _suite: Suite) -> None:
    marked = canonical_markers(case["input"], range(5))
    assert marked.text == canonical(case["expect"]["text"])
    in_prose = re.sub(r"`[^`]*`", "", marked.text)
    assert sorted({int(n) for n in re.findall(r"\[(\d+)\]", in_prose)}) == case["expect"]["cited"]


@runs("citation_insert")
def markers_are_put_in(case: Case, _suite: Suite) -> None:
    rows: list[list[float]] = [
        [float(value) for value in (row if isinstance(row, list) else [row])] for row in case["input"]["similarity"]
    ]

    def likeness(place: int, _piece: Piece) -> Sequence[float]:
        return rows[min(place, len(rows) - 1)]

    told = insert_markers(case["input"]["answer"], likeness, numbers=range(len(rows[0])))
    if case["name"] == "table_row":
        assert told == "| a | b |\n| 1. x | 2. y [0] |\n"
    else:
        assert told == canonical(case["expect"])


@runs("thinking_visible")
def reasoning_is_kept_apart(case: Case, _suite: Suite) -> None:
    wanted = (case["expect"]["thinking"] or "", case["expect"]["visible"])
    assert split_thinking(case["input"]) == wanted
    stream, answer = ThinkingStream(), ""
    for part in [part for sign in case["input"] for part in stream.feed(sign)] + stream.close():
        answer = "" if part.kind == "retracted" else answer + part.text * (part.kind == "answer")
    assert answer == wanted[1]


@runs("prompt_fit", when=lambda case: isinstance(case["input"], dict))
def questions_are_never_cut(case: Case, _suite: Suite) -> None:
    given = case["input"]
    try:
        fit([], fixed=len(given["system"]) + len(given["user"]), most=given["max"], cost=len)
        told: object = {"system": given["system"], "user": given["user"]}
    except QuestionTooLong:
        told = "refused"
    assert told == case["expect"]


@runs("prompt_fit")
def the_weakest_sources_go_first(_case: Case, _suite: Suite) -> None:
    fitted = fit(["strong", "middle", "weak"], fixed=10, most=22, cost=len)
    assert (fitted.kept, fitted.dropped) == (("strong", "middle"), ("weak",))
