"""Write the answer from the sources, streamed; or say that the library doesn't have it and show what comes nearest."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from chat.core.budget import estimated_tokens, fit
from chat.core.citations import MarkerStream
from chat.core.prompts import answer as prompt
from chat.core.source import Source
from chat.core.thinking import Part, ThinkingStream
from chat.provider import AnswerTask, Call, Ended, Message, SourceCard, Text, Thinking
from chat.provider_error import RefusedError
from chat.turn_run import TurnRun

SILENCE_S = 60.0
CUT_OFF = "The answer was cut off: it is longer than the model may write."


async def answer(run: TurnRun) -> None:
    """Stream a draft; it is empty when there are no sources, or none of them answers."""
    with run.stage("answer", "Rewriting the answer" if run.drafts else "Writing the answer") as step:
        run.draft = await _written(run) if run.sources else ""
        run.drafts += 1
        step.summary = f"{len(run.draft.split())} words" if run.draft else "not enough evidence"


async def _written(run: TurnRun) -> str:
    """Return the reply without reasoning and with markers in their form; it is streamed if it is the first draft."""
    reading = _Reading(run)
    async for piece in run.models.stream(_call(run)):
        match piece:
            case Text(text):
                reading.take(text)
            case Thinking(text):
                run.think(text)
            case Ended(reason, _):
                reading.end()
                _note_end(run, reason, reading.text)
    text = reading.text.strip()
    if not text or text.upper().startswith(prompt.NOTHING):
        return ""
    run.revise(text)
    return text


class _Reading:
    """Reads a reply as it streams in: reasoning apart, markers in their form, shown when it can't be "nothing found"."""

    def __init__(self, run: TurnRun) -> None:
        self._run = run
        self._thinking = ThinkingStream()
        self._markers = MarkerStream({source.n for source in run.sources})
        self.text = ""

    def take(self, text: str) -> None:
        """Take a piece."""
        self._add(self._thinking.feed(text))
        self._show()

    def end(self) -> None:
        """Take what was held back."""
        self._add(self._thinking.close())
        self.text += self._markers.close()

    def _add(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if part.kind == "answer":
                self.text += self._markers.feed(part.text)
            elif part.kind == "thinking":
                self._run.think(part.text)
            else:
                self._run.think(self.text)
                self.text = ""

    def _show(self) -> None:
        """Stream the first draft; a later one replaces it when it is whole."""
        text = self.text.lstrip()
        beginning = text[: len(prompt.NOTHING)].upper()
        if not self._run.drafts and text.strip() and not prompt.NOTHING.startswith(beginning):
            self._run.revise(text)


def _note_end(run: TurnRun, reason: str, written: str) -> None:
    if reason == "refusal" and not written.strip():
        raise RefusedError
    if reason == "length":
        run.notice(CUT_OFF, level="warning")


def _call(run: TurnRun) -> Call:
    question = run.standalone or run.question
    fitted = fit(
        run.sources,
        fixed=estimated_tokens(prompt.SYSTEM + question + run.summary + "".join(map("".join, run.earlier))),
        most=settings.PROMPT_TOKENS,
        cost=lambda source: estimated_tokens(source.text + source.title + source.section),
    )
    if fitted.dropped:
        run.trace["left_out"] = [source.n for source in fitted.dropped]
    text = prompt.user(
        question,
        fitted.kept,
        summary=run.summary,
        earlier=run.earlier,
        findings=[(finding.question, finding.text) for finding in run.findings.values() if finding.text],
        feedback=run.feedback,
        draft=run.draft if run.rewrites else "",
    )
    return Call(
        purpose="answer",
        system=prompt.SYSTEM,
        messages=(Message("user", text),),
        task=AnswerTask(question, tuple(_card(source) for source in fitted.kept), run.earlier, run.feedback),
        max_tokens=2_048,
        timeout_s=SILENCE_S,
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
