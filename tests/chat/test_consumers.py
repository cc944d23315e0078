"""The websocket of a session: ask, stop, resume, bad frames, other people's sessions, revoked rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser, User

from chat.asking import open_session
from chat.models import Session, Turn, TurnEvent
from chat.offloading import in_thread
from chat.routing import websocket_urlpatterns
from corpus.backend import forget
from corpus.models import Membership
from tests.chat.library import Library

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet_end")]
ENDS = {"finished", "stopped", "failed"}


@pytest.fixture
def slow_provider(settings: Any) -> AsyncIterator[None]:
    """Let the extractive provider wait between sentences."""
    settings.PROVIDERS = {"extractive": {"BACKEND": "chat.providers.extractive.ExtractiveProvider", "OPTIONS": {"pause_s": 30}}}
    forget()
    yield
    forget()


@asynccontextmanager
async def socket_of(user: User | AnonymousUser, session_id: int) -> AsyncIterator[WebsocketCommunicator]:
    communicator = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/sessions/{session_id}/")
    communicator.scope["user"] = user
    connected, _ = await communicator.connect(timeout=5)
    assert connected
    yield communicator
    await communicator.disconnect()


async def session_for(user: User, **fields: Any) -> Session:
    return await in_thread(open_session, user, **fields)


async def until_the_end(socket: WebsocketCommunicator) -> list[dict[str, Any]]:
    events = []
    while not events or events[-1]["type"] not in ENDS:
        events.append(await socket.receive_json_from(timeout=20))
    return events


async def until(socket: WebsocketCommunicator, kind: str) -> dict[str, Any]:
    while True:
        event = await socket.receive_json_from(timeout=20)
        if event["type"] == kind:
            return event


async def test_a_question_is_answered_over_the_socket_event_by_event(library: Library) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        events = await until_the_end(socket)

    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert "".join(event["text"] for event in events if event["type"] == "delta") == events[-1]["answer"]
    assert events[-1]["html"].startswith("<p>An ion channel is a protein")
    shown = next(event for event in events if event["type"] == "sources")["sources"][0]
    assert (shown["title"], shown["authors"], shown["year"], shown["section"]) == (
        "On channels",
        ["Ada Hill", "Bo Lind"],
        2011,
        "2 Channels",
    )
    assert shown["links"] == [["doi", "https://doi.org/10.1/c"]]


async def test_whoever_comes_back_gets_the_rest_of_the_events_and_no_event_twice(library: Library) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        first = await socket.receive_json_from(timeout=20)

    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "resume", "turn": first["turn"], "seq": first["seq"]})
        rest = await until_the_end(socket)

    assert [event["seq"] for event in rest] == list(range(2, len(rest) + 2))
    assert rest[-1]["type"] == "finished"


async def test_stop_ends_within_a_second_and_keeps_what_was_said(library: Library, slow_provider: None) -> None:
    session = await session_for(library.teams.ada)
    loop = asyncio.get_running_loop()
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        said = await until(socket, "delta")
        began = loop.time()
        await socket.send_json_to({"type": "stop", "turn": said["turn"]})
        stopped = await until(socket, "stopped")
        took = loop.time() - began

    turn = await in_thread(Turn.objects.get, pk=said["turn"])
    assert took < 1.0
    assert stopped["answer"] == said["text"] == turn.answer
    assert turn.state == Turn.State.STOPPED


async def test_a_stop_that_arrives_at_another_process_ends_the_run_too(library: Library, slow_provider: None) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        said = await until(socket, "delta")
        await in_thread(Turn.objects.filter(pk=said["turn"]).update, stop_requested=True)
        stopped = await until(socket, "stopped")

    assert stopped["answer"] == said["text"]


async def test_closing_the_page_does_not_end_the_run(library: Library) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        started = await socket.receive_json_from(timeout=20)

    await asyncio.wait([run for run in asyncio.all_tasks() if run.get_name() == f"turn {started['turn']}"] or [asyncio.sleep(0)])
    turn = await in_thread(Turn.objects.get, pk=started["turn"])
    assert turn.state == Turn.State.FINISHED
    assert turn.answer.startswith("An ion channel")


BAD_FRAMES = """
{
[]
3
"ask"
{}
{"type": 3}
{"type": "dance"}
{"type": "ask"}
{"type": "ask", "question": 3}
{"type": "ask", "question": "  "}
{"type": "ask", "question": "q", "domains": [1]}
{"type": "ask", "question": "q", "domains": "physics"}
{"type": "stop", "turn": "x"}
{"type": "stop", "turn": true}
{"type": "stop", "turn": 1e999}
{"type": "stop", "turn": 123456}
{"type": "resume", "turn": 1, "seq": -1}
{"type": "resume", "turn": 99999999999999999999, "seq": 0}
{"type": "resume", "turn": 123456, "seq": 0}
"""


@pytest.mark.parametrize("frame", [" ", "[" * 3000, *BAD_FRAMES.strip().splitlines()])
async def test_a_bad_frame_is_answered_in_plain_words(library: Library, frame: str) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_to(text_data=frame)
        answer = await socket.receive_json_from(timeout=5)
        await socket.send_json_to({"type": "ping"})
        alive = await socket.receive_json_from(timeout=5)

    assert answer["type"] == "error"
    assert answer["message"]
    assert answer["advice"]
    assert alive == {"type": "heartbeat"}


async def test_a_question_of_100_000_characters_is_refused_with_the_limit(library: Library) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "x" * 100_000})
        answer = await socket.receive_json_from(timeout=5)

    assert answer["type"] == "error"
    assert "8,000" in answer["advice"]


async def test_a_foreign_domain_is_refused_with_those_that_may_be_asked(library: Library) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "Flowers?", "domains": ["botany"]})
        answer = await socket.receive_json_from(timeout=5)

    assert answer["message"] == "There is no domain 'botany'."
    assert answer["advice"] == "Choose among: physics."


async def test_a_second_question_waits_for_the_first(library: Library, slow_provider: None) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        said = await until(socket, "delta")
        await socket.send_json_to({"type": "ask", "question": "And a pump?"})
        answer = await until(socket, "error")
        await socket.send_json_to({"type": "stop", "turn": said["turn"]})
        await until(socket, "stopped")

    assert answer["message"] == "An earlier question of this session is still being answered."


@pytest.mark.parametrize(("who", "code"), [("cleo", 4404), ("nobody", 4401)])
async def test_a_session_of_another_is_closed_with_a_code(library: Library, who: str, code: int) -> None:
    session = await session_for(library.teams.ada)
    user = AnonymousUser() if who == "nobody" else getattr(library.teams, who)
    communicator = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/sessions/{session.pk}/")
    communicator.scope["user"] = user
    await communicator.connect(timeout=5)
    closed = await communicator.receive_output(timeout=5)

    assert closed["type"] == "websocket.close"
    assert closed["code"] == code


async def test_a_turn_of_another_session_can_be_neither_resumed_nor_stopped(library: Library, slow_provider: None) -> None:
    mine, theirs = await session_for(library.teams.ada), await session_for(library.teams.cleo)
    async with socket_of(library.teams.ada, mine.pk) as socket, socket_of(library.teams.cleo, theirs.pk) as other:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        said = await until(socket, "delta")
        await other.send_json_to({"type": "resume", "turn": said["turn"], "seq": 0})
        refused = await other.receive_json_from(timeout=5)
        await other.send_json_to({"type": "stop", "turn": said["turn"]})
        refused_too = await other.receive_json_from(timeout=5)
        running = await in_thread(Turn.objects.get, pk=said["turn"])
        await socket.send_json_to({"type": "stop", "turn": said["turn"]})
        await until(socket, "stopped")

    assert refused["type"] == refused_too["type"] == "error"
    assert running.state == Turn.State.RUNNING
    assert not running.stop_requested


async def test_a_membership_that_ends_ends_the_stream(library: Library, slow_provider: None) -> None:
    session = await session_for(library.teams.ada)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "ask", "question": "What is an ion channel?"})
        said = await until(socket, "delta")
        await in_thread(Membership.objects.filter(user=library.teams.ada).delete)
        await asyncio.sleep(1.1)
        await socket.send_json_to({"type": "stop", "turn": said["turn"]})
        event = await socket.receive_json_from(timeout=5)

    assert event["type"] == "failed"
    assert event["message"] == "You may no longer see what this answer rests on."
    assert "answer" not in event


async def test_a_run_whose_process_died_is_told_as_interrupted(library: Library, settings: Any) -> None:
    settings.TURN_HEARTBEAT_SECONDS = 1
    session = await session_for(library.teams.ada)

    def died() -> int:
        turn = Turn.objects.create(session=session, ordinal=1, question="?", state=Turn.State.RUNNING)
        Turn.objects.filter(pk=turn.pk).update(heartbeat="2020-01-01T00:00Z")
        TurnEvent.objects.create(turn=turn, seq=1, type="delta", payload={"text": "Half an "})
        return turn.pk

    turn_id = await in_thread(died)
    async with socket_of(library.teams.ada, session.pk) as socket:
        await socket.send_json_to({"type": "resume", "turn": turn_id, "seq": 0})
        events = await until_the_end(socket)

    turn = await in_thread(Turn.objects.get, pk=turn_id)
    assert (turn.state, turn.answer) == (Turn.State.INTERRUPTED, "Half an ")
    assert events[-1]["retry"] is True
    assert [event["seq"] for event in events] == [1, 2]
