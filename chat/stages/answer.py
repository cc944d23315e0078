"""Write the answer from the sources, streamed; or say that the library doesn't have it and show what comes nearest."""

from __future__ import annotations

from chat.core.citations import MarkerStream
from chat.core.prompts import answer as prompt
from chat.core.source import Source
from chat.models import Turn
from chat.provider import AnswerTask, Call, Ended, Message, SourceCard, Text, Thinking
from chat.provider_error import RefusedError
from chat.turn_run import TurnRun

NEAREST = 4
CUT_OFF = "The answer was cut off: it is longer than the model may write."


async def answer(run: TurnRun) -> None:
    """Stream an answer; without sources, or when none of them answers, abstain."""
    with run.stage("answer", "Writing the answer" if not run.rewrites else "Rewriting the answer") as step:
        wrote = bool(run.sources) and await _written(run)
        if not wrote:
            abstain(run)
            step.summary = "not enough evidence"
        else:
            run.kind = Turn.Kind.LIBRARY if run.models.has_model("answer") else Turn.Kind.EXTRACTS
            step.summary = f"{len(run.draft.split())} words"


async def _written(run: TurnRun) -> bool:
    """Stream the reply and return whether it says anything; what may turn out to be "nothing found" is held back."""
    markers = MarkerStream({source.n for source in run.sources})
    shown = ""
    async for piece in run.models.stream(_call(run)):
        match piece:
            case Text(text):
                shown += markers.feed(text)
                _show(run, shown)
            case Thinking(text):
                run.trace["thinking"] = run.trace.get("thinking", "") + text
            case Ended(reason, _):
                _note_end(run, reason, shown)
    run.draft = (shown + markers.close()).strip()
    if not run.draft or run.draft.upper().startswith(prompt.NOTHING):
        return False
    run.revise(run.draft) if run.rewrites else _show(run, run.draft)
    return True


def _show(run: TurnRun, text: str) -> None:
    """Stream what is new; a rewrite is shown when it is whole."""
    beginning = text.lstrip()[: len(prompt.NOTHING)].upper()
    if not run.rewrites and text.strip() and not prompt.NOTHING.startswith(beginning):
        run.say(text.lstrip()[len(run.log.text) :])


def _note_end(run: TurnRun, reason: str, written: str) -> None:
    if reason == "refusal" and not written.strip():
        raise RefusedError
    if reason == "length":
        run.notice(CUT_OFF, level="warning")


def _call(run: TurnRun) -> Call:
    question = run.standalone or run.question
    text = prompt.user(
        question,
        run.sources,
        summary=run.summary,
        earlier=run.earlier,
        feedback=run.feedback,
        draft=run.draft if run.rewrites else "",
    )
    return Call(
        purpose="answer",
        system=prompt.SYSTEM,
        messages=(Message("user", text),),
        task=AnswerTask(question, tuple(_card(source) for source in run.sources), run.earlier, run.feedback),
        max_tokens=2_048,
    )


def _card(source: Source) -> SourceCard:
    return SourceCard(
        n=source.n,
        text=source.text,
        title=source.title,
        headings=source.headings,
        kind=source.kind,
        score=source.score,
        source_file=source.source_file_id,
    )


def abstain(run: TurnRun) -> None:
    """Say that the library doesn't answer the question, and name the nearest passages."""
    run.kind = Turn.Kind.ABSTAINED
    lines = ["The library has no passage that answers this question."]
    if run.sources:
        lines += ["", "The nearest passages:", ""]
        lines += [f"- {place_of(source)} [{source.n}]" for source in run.sources[:NEAREST]]
    else:
        lines.append("Nothing was found. Try other words, or choose other domains.")
    run.draft = "\n".join(lines)
    run.revise(run.draft) if run.log.text else run.say(run.draft)


def place_of(source: Source) -> str:
    """Return where a source stands, in words."""
    parts = [source.title]
    if source.headings and source.headings[-1] != source.title:
        parts.append(source.headings[-1])
    if source.pages:
        parts.append(f"page {source.pages[0]}")
    return ", ".join(part.replace("[", "(").replace("]", ")") for part in parts)
