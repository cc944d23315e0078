"""Answer without the library, and say so: small talk, or a fallback after a search that found nothing."""

from __future__ import annotations

from django.conf import settings

from chat.core.prompts import general as prompt
from chat.core.thinking import split_thinking
from chat.models import Turn
from chat.provider import Call, Ended, Message, OtherTask, Text
from chat.provider_error import RefusedError
from chat.turn_run import TurnRun

NOT_FROM_LIBRARY = "This answer does not come from the library."


async def answer_generally(run: TurnRun, *, is_fallback: bool = False) -> None:
    """Write an answer from the model's own knowledge, marked as such."""
    with run.stage("general", "Answering without the library") as step:
        run.notice(NOT_FROM_LIBRARY, level="warning")
        call = Call(
            purpose="general",
            system=prompt.SYSTEM,
            messages=(Message("user", prompt.user(run.standalone or run.question, summary=run.summary, earlier=run.earlier)),),
            task=OtherTask(run.question),
            max_tokens=1_024,
        )
        written, reason = "", ""
        async for piece in run.models.stream(call):
            if isinstance(piece, Text):
                written += piece.text
            elif isinstance(piece, Ended):
                reason = piece.reason
        thinking, text = split_thinking(written)
        if thinking:
            run.trace["thinking"] = thinking
        if not text:
            raise RefusedError(reason)
        warning = settings.FALLBACK_WARNING if is_fallback else ""
        run.draft = f"> {warning}\n\n{text}" if warning else text
        run.revise(run.draft)
        run.kind = Turn.Kind.GENERAL
        run.citations = []
        step.summary = f"{len(text.split())} words"
