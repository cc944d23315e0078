"""A language model on the wire that says what a test tells it to, by purpose."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from corpus.backend import forget, from_settings
from tests.chat.library import Library
from tests.chat.wire.dialects import OpenAi
from tests.chat.wire.server import Answer, ScriptedServer

WIRE = OpenAi()
GOOD = "The sodium channel opens at -40 mV [1]."
PLAN = {
    "route": "library",
    "domains": ["physics"],
    "standalone": "When does the sodium channel open?",
    "language": "en",
    "queries": ["sodium channel opens voltage"],
    "keywords": "",
    "filters": {},
    "sub_questions": [],
}
SCORES = dict.fromkeys(("coverage", "confidence", "relevance", "groundedness", "coherence", "conciseness"), 0.9)
PASSED = {**SCORES, "next_step": "continue", "summary": "Good."}
PURPOSES = {
    "You plan": "plan",
    "You answer a": "answer",
    "You answer one": "finding",
    "You grade": "evaluate",
    "You check": "guard",
    "You keep": "summarise",
    "You are": "general",
}


def purpose_of(body: dict[str, Any]) -> str:
    """Tell what a request is for by its prompt."""
    system = body["messages"][0]["content"]
    return next(purpose for beginning, purpose in PURPOSES.items() if system.startswith(beginning))


@dataclass
class Model:
    """By purpose, the answers that it gives one after the other; the last one is repeated."""

    server: ScriptedServer = field(default_factory=lambda: ScriptedServer([]))
    script: dict[str, list[Answer]] = field(default_factory=dict)

    def says(self, purpose: str, *answers: Answer | dict[str, Any] | str) -> Model:
        """Say these from now on."""
        self.script[purpose] = [_answer(answer) for answer in answers]
        return self

    def reply(self, body: dict[str, Any]) -> Answer:
        """Answer a request."""
        purpose = purpose_of(body)
        answers = self.script[purpose]
        return answers[min(self.asked.count(purpose), len(answers)) - 1]

    @property
    def asked(self) -> list[str]:
        """The purposes of the requests, in order."""
        return [purpose_of(body) for body in self.server.asked]

    def prompts(self, purpose: str) -> list[str]:
        """The prompts of a purpose, in order."""
        return [WIRE.prompt(body) for body in self.server.asked if purpose_of(body) == purpose]


def _answer(answer: Answer | dict[str, Any] | str) -> Answer:
    if isinstance(answer, dict):
        return WIRE.structured(json.dumps(answer))
    return WIRE.stream([answer]) if isinstance(answer, str) else answer


@pytest.fixture
async def model(settings: Any, library: Library) -> AsyncIterator[Model]:
    """A model that plans, answers well and is content; each test changes what it says."""
    made = (
        Model().says("plan", PLAN).says("answer", GOOD).says("evaluate", PASSED).says("general", "Hello.").says("guard", "safe")
    )
    made.server.script = [made.reply]
    async with made.server.running():
        options = {"base_url": f"{made.server.address}/v1", "model": "test-model", "key": "sk-secret"}
        backend = "chat.providers.openai_compatible.OpenAiCompatibleProvider"
        settings.PROVIDERS = {"wire": {"BACKEND": backend, "OPTIONS": options}}
        settings.PROVIDER = "wire"
        settings.MODEL_RETRIES = 1
        forget()
        yield made
        await from_settings("PROVIDERS", "wire").close()
    forget()
