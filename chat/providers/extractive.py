"""Answers without a language model and without a network: the best-supported sentences of the sources, each cited.

Plans by likeness of the question to the domains' descriptions and by rules for filters; knows when the evidence is thin.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from chat.core.extraction.evidence import Evidence, is_enough
from chat.core.extraction.planning import Field, filters_from, standalone_question
from chat.core.extraction.question import AskedFor, content_words, read_question
from chat.core.extraction.readable import Candidate, readable_sentences
from chat.core.extraction.selection import Extract, Scored, as_answer, choose, coverage, form_bonus, rank, word_weights
from chat.provider import AnswerTask, Call, DomainCard, Ended, Piece, PlanTask, Reply, SourceCard, Text
from chat.provider_error import NoModelError
from corpus.backend import from_settings
from retrieval.embedder import Embedder

CLOSE = 0.3  # domains this near to the best one (of the embedder's range) are searched too
MOST_DOMAINS = 3
SOURCES_READ = 8
SENTENCES_READ = 36


class ExtractiveProvider:
    """The null provider: the default of a fresh install, and the fake of every test.

    Args:
        embedder: an alias of EMBEDDERS; empty for the site's.
        pause_s: waits so long between pieces (for trying slow streams).
    """

    name = "extractive"
    default_model = ""
    needs_model = False

    def __init__(self, *, embedder: str = "", pause_s: float = 0.0) -> None:
        self._embedder_alias = embedder
        self._pause_s = pause_s
        self._described: dict[str, NDArray[np.float32]] = {}

    async def models(self) -> tuple[str, ...]:
        """There is nothing to choose from."""
        return ()

    async def structured(self, call: Call) -> Reply:
        """Plan a question; other calls need a model."""
        if not isinstance(call.task, PlanTask):
            raise NoModelError
        return Reply(await asyncio.to_thread(self._plan, call.task))

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Yield the chosen sentences one by one; none when the evidence is thin."""
        if not isinstance(call.task, AnswerTask):
            raise NoModelError
        extracts = await asyncio.to_thread(self.extracts, call.task)
        for piece in as_answer(extracts):
            yield Text(piece)
            if self._pause_s:
                await asyncio.sleep(self._pause_s)
        yield Ended()

    @property
    def _embedder(self) -> Embedder:
        found: Embedder = from_settings("EMBEDDERS", self._embedder_alias or settings.EMBEDDER)
        return found

    def _plan(self, task: PlanTask) -> dict[str, Any]:
        standalone = standalone_question(task.question, task.earlier)
        domains = self._domains_for(standalone, task)
        fields = {field.name: field for card in reversed(domains) for field in card.fields}
        filters = filters_from(task.question, [Field(f.name, f.value_type, f.known) for f in fields.values()])
        return {
            "route": "library",
            "domains": [card.slug for card in domains],
            "standalone": standalone,
            "language": "",
            "queries": [],
            "keywords": "",
            "filters": filters,
            "sub_questions": [],
        }

    def _domains_for(self, question: str, task: PlanTask) -> tuple[DomainCard, ...]:
        if task.fixed or len(task.domains) <= 1:
            return task.domains
        if not all(card.description.strip() for card in task.domains):
            return task.domains  # nothing to tell them apart by: retrieval does
        asked = self._embedder.embed_query(question)
        likeness = [self._calibrated(float(asked @ self._described_as(card))) for card in task.domains]
        best = max(likeness)
        order = sorted(range(len(likeness)), key=lambda place: -likeness[place])
        return tuple(task.domains[place] for place in order[:MOST_DOMAINS] if likeness[place] >= best - CLOSE)

    def _described_as(self, card: DomainCard) -> NDArray[np.float32]:
        text = f"{card.name}. {card.description}".strip()
        if text not in self._described:
            self._described[text] = self._embedder.embed_documents([text])[0]
        return self._described[text]

    def _calibrated(self, cosine: float) -> float:
        low, high = self._embedder.cosine_range
        return (cosine - low) / (high - low)

    def extracts(self, task: AnswerTask) -> tuple[Extract, ...]:
        """Return the sentences that answer a question from its sources; none when the evidence is thin."""
        asked = read_question(task.question)
        sources = task.sources[:SOURCES_READ]
        everything = {source.n: _readable(source) for source in sources}
        found = _worth_reading(sources, everything, asked)
        if not found:
            return ()
        vectors = self._embedder.embed_documents([candidate.whole for _, candidate in found])
        question = self._embedder.embed_query(task.question)
        scored = [
            Scored(source.n, candidate, self._calibrated(float(vectors[place] @ question)), source.score, place)
            for place, (source, candidate) in enumerate(found)
        ]
        ranked = rank(scored, asked)
        if not is_enough(_evidence(ranked, sources, asked)):
            return ()
        return choose(ranked, alike=lambda one, other: float(vectors[one] @ vectors[other]), everything=everything)


def _readable(source: SourceCard) -> tuple[Candidate, ...]:
    return readable_sentences(source.text, headings=source.headings, kind=source.kind)


def _worth_reading(
    sources: Sequence[SourceCard], everything: dict[int, tuple[Candidate, ...]], asked: AskedFor
) -> list[tuple[SourceCard, Candidate]]:
    """Keep the sentences that share most words with the question, where there are more than can be read closely."""
    found = [(source, candidate) for source in sources for candidate in everything[source.n]]
    if len(found) <= SENTENCES_READ:
        return found
    words = [set(content_words(candidate.whole)) for _, candidate in found]
    weight = word_weights(words, asked.words)
    worth = [
        coverage(asked.words, held, weight) + 0.5 * source.score - 0.02 * place
        for place, (held, (source, _)) in enumerate(zip(words, found, strict=True))
    ]
    kept = sorted(range(len(found)), key=lambda place: -worth[place])[:SENTENCES_READ]
    return [found[place] for place in sorted(kept)]


def _evidence(ranked: Sequence[Scored], sources: Sequence[SourceCard], asked: AskedFor) -> Evidence:
    best = max(source.score for source in sources)
    defines = asked.wanted == "definition" and form_bonus(ranked[0].candidate, asked) > 0
    return Evidence(source=best, sentence=max(scored.likeness for scored in ranked), defines=defines)
