"""A question from the asker's words to a stored answer with citations, with no model and no network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from chat import answering
from chat.asking import ask, open_session
from chat.models import Citation, Turn
from chat.offloading import in_thread
from tests.chat.conftest import quiet_end  # noqa: F401
from tests.chat.library import Library, library  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet_end")]
Asked = Callable[..., Awaitable[Turn]]


async def answered(user: User, question: str, **fields: Any) -> Turn:
    """Ask and wait for the end."""

    def asked() -> Turn:
        return ask(user, open_session(user, **fields), question)

    turn = await in_thread(asked)
    await answering.start(turn.pk)
    await in_thread(turn.refresh_from_db)
    return turn


def events_of(turn: Turn) -> list[tuple[int, str, dict[str, Any]]]:
    return list(turn.events.order_by("seq").values_list("seq", "type", "payload"))


async def test_a_question_is_answered_by_cited_sentences_of_the_library(library: Library) -> None:  # noqa: F811
    turn = await answered(library.teams.ada, "What is an ion channel?")

    citation = await in_thread(Citation.objects.filter(turn=turn).first)
    assert turn.state == Turn.State.FINISHED, turn.error
    assert turn.kind == Turn.Kind.EXTRACTS
    assert turn.answer.startswith("An ion channel is a protein that lets ions pass through the membrane of a cell [1].")
    assert citation.chunk_id == library.channels.pk
    assert citation.support == "verified"
    assert citation.quote == "An ion channel is a protein that lets ions pass through the membrane of a cell."
    assert citation.pages == [3]
    assert citation.boxes == [[3, 50.0, 100.0, 500.0, 112.0]]


async def test_events_count_from_one_without_gaps_and_end_with_what_is_stored(library: Library) -> None:  # noqa: F811
    turn = await answered(library.teams.ada, "At which voltage does the sodium channel open?")

    events = await in_thread(events_of, turn)
    assert [seq for seq, _, _ in events] == list(range(1, len(events) + 1))
    assert events[0][1] == "turn.started"
    assert events[-1][1] == "finished"
    assert events[-1][2]["answer"] == turn.answer
    assert "-40 mV" in turn.answer


async def test_the_stages_are_told_in_order_with_their_labels(library: Library) -> None:  # noqa: F811
    turn = await answered(library.teams.ada, "How many sodium ions does the pump move?")

    events = await in_thread(events_of, turn)
    labels = [payload["label"] for _, kind, payload in events if kind == "stage.finished"]
    assert labels == ["Understanding the question", "Searching the library", "Writing the answer", "Checking the citations"]


async def test_a_question_without_matches_abstains(library: Library) -> None:  # noqa: F811
    turn = await answered(library.teams.ada, "Who won the chess championship of Reykjavik?")

    assert turn.kind == Turn.Kind.ABSTAINED
    assert turn.answer.startswith("The library has no passage that answers this question.")


async def test_nothing_of_a_foreign_domain_is_found(library: Library) -> None:  # noqa: F811
    turn = await answered(library.teams.ada, "When does the bee orchid flower?")

    events = await in_thread(events_of, turn)
    assert "June" not in turn.answer
    assert not any("orchid flowers" in str(payload) for _, _, payload in events)
