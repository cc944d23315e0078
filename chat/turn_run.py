"""What the stages of one turn share: the question, the evidence so far, the draft, and the line of events."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser

from chat.core.budget import TurnBudget
from chat.core.prompts.plan import SubQuestion
from chat.core.source import Source
from chat.event_log import EventLog
from chat.model_access import ModelAccess
from chat.provider import DomainCard
from retrieval.core.filters import Filter

MOST_THINKING = 20_000


@dataclass
class Step:
    """A stage while it runs; `summary` is what the page shows when it ends."""

    summary: str = ""


@dataclass(frozen=True)
class Finding:
    """What a step found, and the numbers of its sources."""

    question: str
    text: str
    sources: tuple[int, ...] = ()


@dataclass
class TurnRun:
    """One turn on its way from a question to an answer.

    Attributes:
        question: as it was asked.
        asked: the question without the filters that a person wrote into it, which are `written`.
        standalone: the same without its context; what is searched and judged.
        cards: the domains that may be searched, as the classifier sees them.
        domains: the slugs that were chosen.
        earlier: (question, answer) of recent turns, oldest first.
        sources: the evidence of all rounds, united; numbers never change.
        kind: a value of `Turn.Kind`, empty while open.
        problems: sentences of the draft that the sources don't support.
        findings: what the steps found, by the id of the sub-question.
        may_deepen: whether the last search still brought something new.
        is_searched_out: searching again makes no sense.
        trace: how the evidence was found and judged, kept with the turn.
    """

    turn_id: int
    user: AbstractBaseUser
    question: str
    log: EventLog
    models: ModelAccess
    cards: tuple[DomainCard, ...] = ()
    fixed_domains: bool = False
    earlier: tuple[tuple[str, str], ...] = ()
    summary: str = ""
    asked: str = ""
    written: Filter | None = None
    standalone: str = ""
    language: str = ""
    domains: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    keywords: str = ""
    where: Filter | None = None
    sub_questions: tuple[SubQuestion, ...] = ()
    sources: tuple[Source, ...] = ()
    draft: str = ""
    kind: str = ""
    citations: list[dict[str, Any]] = field(default_factory=list)
    feedback: str = ""
    problems: list[str] = field(default_factory=list)
    findings: dict[str, Finding] = field(default_factory=dict)
    round: int = 0
    rewrites: int = 0
    drafts: int = 0
    may_deepen: bool = True
    is_searched_out: bool = False
    trace: dict[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    @contextmanager
    def stage(self, name: str, label: str) -> Iterator[Step]:
        """Tell the reader that a stage begins and how it ended."""
        began = time.monotonic()
        self.log.emit("stage.started", stage=name, label=label)
        step = Step()
        yield step
        took_ms = self._ms_since(began)
        self.trace.setdefault("stages", []).append({"stage": name, "took_ms": took_ms, "summary": step.summary})
        self.log.emit("stage.finished", stage=name, label=label, took_ms=took_ms, summary=step.summary)

    def say(self, text: str) -> None:
        """Stream a piece of the answer."""
        if text:
            self.log.emit("delta", text=text)

    def revise(self, text: str) -> None:
        """Replace what was streamed of the answer; where nothing was or only more follows, stream it."""
        if text.startswith(self.log.text):
            self.say(text[len(self.log.text) :])
        else:
            self.log.emit("revised", text=text)

    def think(self, text: str) -> None:
        """Keep a piece of the model's reasoning, apart from the answer."""
        self.trace["thinking"] = (self.trace.get("thinking", "") + text)[:MOST_THINKING]

    def notice(self, text: str, *, level: str = "info") -> None:
        """Tell the reader something beside the answer."""
        self.log.emit("notice", text=text, level=level)

    def budget(self) -> TurnBudget:
        """Return what the turn may cost and has cost so far."""
        whole = TurnBudget(settings.TURN_CALLS, settings.TURN_TOKENS, settings.TURN_SECONDS)
        tokens = sum(spent.tokens_in + spent.tokens_out for spent in self.models.spent)
        return whole.after(calls=self.models.calls, tokens=tokens, seconds=self.took_ms() / 1000)

    def source(self, n: int) -> Source | None:
        """Return the source that a marker names."""
        return next((source for source in self.sources if source.n == n), None)

    def is_known_link(self, address: str) -> bool:
        """Say whether an answer may hold a link: it is of a source, or the asker wrote it."""
        links = (link for source in self.sources for _, link in source.as_shown()["links"])
        return address in self.question or address in links

    def took_ms(self) -> int:
        """Return how long the turn has taken so far."""
        return self._ms_since(self.began)

    @staticmethod
    def _ms_since(began: float) -> int:
        return round((time.monotonic() - began) * 1000)
