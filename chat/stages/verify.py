"""Check the answer without a model: markers resolve, quotes match, sentences are supported."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from chat.core.citations import CANONICAL, CitedSentence, canonical_markers, cited_sentences
from chat.core.injection import defused
from chat.core.insertion import Piece, insert_markers
from chat.core.quotes import boxes_of, find_quote
from chat.core.source import Source
from chat.core.support import judge
from chat.turn_run import TurnRun

LEAST_CLAIM_WORDS = 4


async def verify(run: TurnRun) -> None:
    """Bind each cited sentence to words of its sources, and tell what isn't supported."""
    if not run.draft:
        return
    with run.stage("verify", "Checking the citations") as step:
        marked = canonical_markers(run.draft, {source.n for source in run.sources})
        if marked.unknown:
            run.trace["unknown_markers"] = list(marked.unknown)
        run.draft = defused(_with_markers(run, marked.text.strip()), run.is_known_link)
        run.revise(run.draft)
        sentences = cited_sentences(run.draft)
        run.citations = [citation for sentence in sentences for citation in _citations(run, sentence)]
        run.trace["uncited"] = [sentence.bare for sentence in sentences if not sentence.markers and is_claim(sentence)]
        run.problems = unsupported_in(run.citations) + run.trace["uncited"]
        for citation in run.citations:
            run.log.emit("citation", **{key: part for key, part in citation.items() if key != "source"})
        step.summary = _told(run)


def _with_markers(run: TurnRun, text: str) -> str:
    """Put markers into a draft that has none, where a source holds most of a sentence's words."""
    if CANONICAL.search(text) or not run.models.has_model("answer"):
        return text
    return insert_markers(text, partial(_likeness, run.sources), numbers=[source.n for source in run.sources])


def _likeness(sources: Sequence[Source], _place: int, piece: Piece) -> list[float]:
    quotes = [find_quote(piece.text, source.text) for source in sources]
    return [quote.shared if quote else 0.0 for quote in quotes]


def _citations(run: TurnRun, sentence: CitedSentence) -> list[dict[str, Any]]:
    sources = [source for n in sentence.markers if (source := run.source(n)) is not None]
    return [_citation(sentence, source) for source in sources]


def _citation(sentence: CitedSentence, source: Source) -> dict[str, Any]:
    quote = find_quote(sentence.bare, source.text)
    judgement = judge(sentence.bare, f"{source.section}\n{source.text}", quote)
    boxes = boxes_of(quote, source.spans) if quote else ()
    return {
        "marker": source.n,
        "position": sentence.position,
        "sentence": sentence.bare,
        "quote": quote.text if quote else "",
        "start": quote.start if quote else 0,
        "end": quote.end if quote else 0,
        "pages": sorted({box.page for box in boxes}) or list(source.pages),
        "boxes": [box.as_list() for box in boxes],
        "support": judgement.support,
        "reasons": list(judgement.reasons),
        "source": source,
    }


def unsupported_in(citations: Sequence[dict[str, Any]]) -> list[str]:
    """Return the cited sentences that none of their sources supports."""
    by_sentence: dict[int, list[str]] = {}
    words: dict[int, str] = {}
    for citation in citations:
        by_sentence.setdefault(citation["position"], []).append(citation["support"])
        words[citation["position"]] = citation["sentence"]
    return [words[place] for place, found in by_sentence.items() if set(found) == {"unsupported"}]


def is_claim(sentence: CitedSentence) -> bool:
    """Say whether a sentence states something that wants a source: not a question, a lead-in or a note of what is missing."""
    plain = sentence.bare.casefold()
    if len(plain.split()) < LEAST_CLAIM_WORDS or plain.endswith(("?", ":")):
        return False
    return not any(words in plain for words in ("the sources do not", "the sources don't", "not in the library", "no source"))


def _told(run: TurnRun) -> str:
    counts: dict[str, int] = {}
    for citation in run.citations:
        counts[citation["support"]] = counts.get(citation["support"], 0) + 1
    parts = [f"{counts[support]} {support}" for support in ("verified", "supported", "weak", "unsupported") if support in counts]
    if uncited := len(run.trace["uncited"]):
        parts.append(f"{uncited} without a source")
    return ", ".join(parts) or "no citations"
