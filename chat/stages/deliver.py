"""Hand over what the verdict left: an answer, a marked best effort, a marked fallback, or the nearest passages."""

from __future__ import annotations

from chat.core.source import Source
from chat.core.verdict import Verdict
from chat.models import Turn
from chat.stages.general import answer_generally
from chat.turn_run import TurnRun

NEAREST = 4
PARTLY = "The sources only partly answer this question."


async def deliver(run: TurnRun, found: Verdict) -> None:
    """Give the draft its kind, or replace it."""
    match found.outcome:
        case "fallback":
            await answer_generally(run, is_fallback=True)
        case "clarify":
            abstain(run)
        case "best_effort":
            run.kind = Turn.Kind.BEST_EFFORT
            run.notice(PARTLY, level="warning")
        case _:
            run.kind = Turn.Kind.LIBRARY if run.models.has_model("answer") else Turn.Kind.EXTRACTS
    if run.problems and run.kind in {Turn.Kind.LIBRARY, Turn.Kind.BEST_EFFORT}:
        count = len(run.problems)
        told = "One sentence has" if count == 1 else f"{count} sentences have"
        run.notice(f"{told} no support in the sources; see the marks in the answer.", level="warning")


def decline(run: TurnRun, text: str) -> None:
    """Say that a question is not answered here."""
    run.kind = Turn.Kind.REFUSED
    run.draft = text
    run.revise(text)


def abstain(run: TurnRun) -> None:
    """Say that the library doesn't answer the question, and name the nearest passages."""
    run.kind = Turn.Kind.ABSTAINED
    run.citations = []
    lines = ["The library has no passage that answers this question."]
    if run.sources:
        lines += ["", "The nearest passages:", ""]
        lines += [f"- {place_of(source)} [{source.n}]" for source in run.sources[:NEAREST]]
    else:
        lines.append("Nothing was found. Try other words, or choose other domains.")
    run.draft = "\n".join(lines)
    run.revise(run.draft)


def place_of(source: Source) -> str:
    """Return where a source stands, in words."""
    parts = [source.title]
    if source.headings and source.headings[-1] != source.title:
        parts.append(source.headings[-1])
    if source.pages:
        parts.append(f"page {source.pages[0]}")
    return ", ".join(part.replace("[", "(").replace("]", ")") for part in parts)
