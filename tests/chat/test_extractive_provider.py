"""The provider that needs no model: it plans by likeness and rules, answers by sentences of the sources, or keeps silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.provider import AnswerTask, Call, DomainCard, Ended, FieldCard, Message, OtherTask, PlanTask, SourceCard, Text
from chat.provider_error import NoModelError
from chat.providers.extractive import ExtractiveProvider
from tests.chat.library import CHANNEL, ORCHID, PUMP

DOMAINS = (
    DomainCard("physics", "Physics", "Ion channels, membranes and pumps of cells.", (FieldCard("year", "int"),)),
    DomainCard("botany", "Botany", "Orchids, mosses and flowering plants."),
)
SOURCES = (
    SourceCard(1, CHANNEL, title="On channels", score=0.8, source_file=1),
    SourceCard(2, PUMP, title="On pumps", score=0.6, source_file=2),
    SourceCard(3, ORCHID, title="Orchids", score=0.1, source_file=3),
)


@pytest.fixture
def provider() -> ExtractiveProvider:
    return ExtractiveProvider()


def call(task: PlanTask | AnswerTask | OtherTask) -> Call:
    return Call("answer", "", (Message("user", ""),), task)


async def answer(provider: ExtractiveProvider, question: str, sources: tuple[SourceCard, ...] = SOURCES) -> str:
    pieces = [piece async for piece in provider.stream(call(AnswerTask(question, sources)))]
    assert isinstance(pieces[-1], Ended)
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


async def test_it_answers_with_whole_sentences_each_with_its_number(provider: ExtractiveProvider) -> None:
    text = await answer(provider, "What is an ion channel?")
    assert text.startswith("An ion channel is a protein that lets ions pass through the membrane of a cell [1].")


async def test_a_sentence_that_leans_on_another_brings_it_along(provider: ExtractiveProvider) -> None:
    text = await answer(provider, "What is this closing called inactivation?")
    assert "closes within 2 ms [1]. This closing is called inactivation [1]." in text


async def test_it_says_nothing_where_the_sources_do_not_fit(provider: ExtractiveProvider) -> None:
    weak = tuple(replace(source, score=0.05) for source in SOURCES)
    assert await answer(provider, "Who won the chess championship?", weak) == ""


async def test_it_chooses_the_domain_by_its_description(provider: ExtractiveProvider) -> None:
    plan = await provider.structured(call(PlanTask("How do orchids and flowering plants grow?", DOMAINS)))
    assert plan.value["domains"][0] == "botany"


async def test_domains_that_a_person_fixed_stay(provider: ExtractiveProvider) -> None:
    plan = await provider.structured(call(PlanTask("How do orchids grow?", DOMAINS[:1], fixed=True)))
    assert plan.value["domains"] == ["physics"]


async def test_years_of_works_become_a_filter(provider: ExtractiveProvider) -> None:
    plan = await provider.structured(call(PlanTask("Which papers since 2015 treat ion channels?", DOMAINS[:1])))
    assert plan.value["filters"] == {"year": {"$gte": 2015}}


async def test_a_follow_up_is_read_with_the_question_before_it(provider: ExtractiveProvider) -> None:
    earlier = (("What is the sodium channel?", "A protein."),)
    plan = await provider.structured(call(PlanTask("And its kinetics?", DOMAINS[:1], earlier)))
    assert plan.value["standalone"] == "And its kinetics? (about: What is the sodium channel?)"


async def test_it_does_not_pretend_to_be_a_model(provider: ExtractiveProvider) -> None:
    with pytest.raises(NoModelError):
        await provider.structured(call(OtherTask("Judge this.")))
    assert await provider.models() == ()
