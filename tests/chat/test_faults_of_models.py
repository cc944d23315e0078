"""What a reader is told when a language model fails, and what is kept."""

from __future__ import annotations

from typing import Any

import pytest

from chat.models import ModelAssignment, Turn
from chat.offloading import in_thread
from tests.chat.library import Library
from tests.chat.model_on_the_wire import GOOD, WIRE, Model, purpose_of
from tests.chat.test_answering_with_models import answered, events_of, notices_of
from tests.chat.wire.server import Answer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet_end")]

FAULTS = {
    "401": (WIRE.error(401, "bad key"), "refused Klea's key", False),
    "404": (WIRE.error(404, "no model"), "doesn't know the chosen model", False),
    "too long": (WIRE.error(400, "maximum context length exceeded"), "longer than the model can read", False),
    "429": (WIRE.error(429, "slow", retry_after="0"), "gets too many requests", True),
    "500": (WIRE.error(500, "boom"), "had a fault", True),
    "529": (WIRE.error(529, "busy"), "is overloaded", True),
    "malformed": (WIRE.malformed(), "could not be read", True),
    "cut": (WIRE.stream([], cut=True), "The connection to the language model broke.", True),
    "refusal": (WIRE.stream([], end="refusal"), "declined to answer", False),
}


@pytest.mark.parametrize(("fault", "message", "retry"), FAULTS.values(), ids=FAULTS)
async def test_each_fault_has_a_message_and_the_question_is_kept(
    library: Library, model: Model, fault: Answer, message: str, retry: bool
) -> None:
    model.says("answer", fault)
    turn = await answered(library)

    kind, payload = (await events_of(turn))[-1]
    assert kind == "failed"
    assert message in payload["message"]
    assert payload["advice"]
    assert payload["retry"] is retry
    assert turn.state == Turn.State.FAILED
    assert model.asked.count("answer") == (2 if retry else 1)


@pytest.mark.parametrize("status", [429, 500, 529])
async def test_a_fault_that_passes_is_told_and_answered(library: Library, model: Model, status: int) -> None:
    model.says("answer", WIRE.error(status, "wait", retry_after="0"), GOOD)
    turn = await answered(library)

    assert turn.answer == GOOD
    assert "Trying again" in await notices_of(turn)


async def test_a_line_that_breaks_after_the_first_word_keeps_what_was_said(library: Library, model: Model) -> None:
    model.says("answer", WIRE.stream(["The sodium channel ", 0.1], cut=True))
    turn = await answered(library)

    assert turn.state == Turn.State.FAILED
    assert turn.answer == "The sodium channel"
    assert model.asked.count("answer") == 1


async def test_silence_ends_the_call(library: Library, model: Model, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MODEL_RETRIES = 0
    monkeypatch.setattr("chat.stages.answer.SILENCE_S", 0.3)
    model.says("answer", WIRE.stream([30.0, "never"]))
    turn = await answered(library)

    assert (await events_of(turn))[-1][1]["message"] == "The language model did not answer in time."


async def test_a_fallback_model_answers_for_one_that_is_overloaded(library: Library, model: Model) -> None:
    def assign() -> None:
        ModelAssignment.objects.create(role="chat", provider="wire", model="big", fallback_model="small")

    await in_thread(assign)
    busy = WIRE.error(529, "busy")
    model.says("answer", busy, busy, GOOD)
    turn = await answered(library)

    models = [body["model"] for body in model.server.asked if purpose_of(body) == "answer"]
    assert turn.answer == GOOD
    assert models == ["big", "big", "small"]


async def test_a_reply_without_end_is_cut_and_said_so(library: Library, model: Model) -> None:
    model.says("answer", WIRE.stream([GOOD + " ", *["word " * 2_000] * 40]))
    turn = await answered(library)

    assert len(turn.answer) < 40_000
    assert "cut off" in await notices_of(turn)


async def test_a_plan_that_cannot_be_read_is_asked_for_once_more_and_then_done_without(library: Library, model: Model) -> None:
    model.says("plan", WIRE.structured("domains: physics"))
    turn = await answered(library)

    assert model.asked.count("plan") == 2
    assert turn.answer == GOOD
