"""Keep the rolling summary of a session; done after the answer, so nobody waits for it."""

from __future__ import annotations

import logging

from chat.core.memory import SUMMARISED_FROM, WINDOW_CHARACTERS, Exchange, Memory, remembered
from chat.core.prompts import summarise as prompt
from chat.models import Session, Turn
from chat.offloading import in_thread
from chat.provider import Call, Message, OtherTask
from chat.provider_error import ProviderError
from chat.turn_run import TurnRun

logger = logging.getLogger(__name__)
TOLD = (Turn.State.FINISHED, Turn.State.STOPPED)
MOST_TURNS = 200
WINDOW = (WINDOW_CHARACTERS, SUMMARISED_FROM)


async def summarise(run: TurnRun) -> None:
    """Put what fell out of the window into the summary; a failure leaves it for the next turn."""
    if not run.models.has_model("summarise"):
        return
    session = await in_thread(_session_of, run.turn_id)
    memory = await in_thread(memory_of, session)
    if not memory.to_summarise:
        return
    call = Call(
        purpose="summarise",
        system=prompt.SYSTEM,
        messages=(Message("user", prompt.user(session.summary, memory.to_summarise)),),
        task=OtherTask(),
        max_tokens=600,
        timeout_s=60,
    )
    try:
        summary = prompt.read(await run.models.text(call))
    except ProviderError as error:
        logger.warning("The summary of session %s was not renewed: %s", session.pk, error)
        return
    if summary:
        await in_thread(_keep, session.pk, summary, memory.summarised_till)


def memory_of(session: Session, *, before: int | None = None) -> Memory:
    """Return what of a session is shown word for word, and what wants to be summarised; `before` leaves out later turns."""
    turns = Turn.objects.filter(session=session, state__in=TOLD).order_by("-ordinal")
    if before is not None:
        turns = turns.filter(ordinal__lt=before)
    told = [Exchange(t.ordinal, t.standalone_question or t.question, answer_of(t)) for t in reversed(turns[:MOST_TURNS])]
    window, summarised_from = WINDOW
    return remembered(told, summarised_till=session.summarised_turns, window=window, summarised_from=summarised_from)


def answer_of(turn: Turn) -> str:
    """Return what was answered, in short where nothing was."""
    return "(The library did not answer this.)" if turn.kind in {Turn.Kind.ABSTAINED, Turn.Kind.REFUSED} else turn.answer


def _session_of(turn_id: int) -> Session:
    return Session.objects.get(turns=turn_id)


def _keep(session_id: int, summary: str, till: int) -> None:
    Session.objects.filter(pk=session_id, summarised_turns__lt=till).update(summary=summary, summarised_turns=till)
