"""The API of conversations, as a program and as a browser use it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.utils import timezone

from chat.api_keys import create_key
from chat.models import ApiKey, Session, Turn
from chat.offloading import in_thread
from corpus.models import Membership, Role
from tests.chat.library import Library

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet_end")]
QUESTION = "What is an ion channel?"


def as_json(response: Any) -> Any:
    return json.loads(response.content)


class Program(AsyncClient):
    """A client that sends a key with each request."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret

    def generic(self, *args: Any, **kwargs: Any) -> Any:
        return super().generic(*args, **{**kwargs, "headers": {"Authorization": f"Bearer {self.secret}"}})


@pytest.fixture
def program(library: Library) -> Callable[..., AsyncClient]:
    """Return a maker of clients that come with a key."""

    def made(user: User, **limits: Any) -> AsyncClient:
        _, secret = create_key(user, name="script", **limits)
        return Program(secret)

    return made


async def asked(client: AsyncClient, question: str = QUESTION, **fields: Any) -> Any:
    return await client.post("/api/v1/ask", {"question": question, **fields}, content_type="application/json")


async def test_a_program_asks_with_a_key_and_gets_the_answer_with_its_citations(library: Library, program: Any) -> None:
    client = await in_thread(program, library.teams.ada)
    response = await asked(client)
    turn = as_json(response)

    assert response.status_code == 200
    assert turn["answer"].startswith("An ion channel is a protein")
    assert turn["kind"] == "extracts"
    citation = turn["citations"][0]
    assert (citation["marker"], citation["support"], citation["pages"]) == (1, "verified", [3])
    source = citation["source"]
    assert source["text"][citation["start"] : citation["end"]] == citation["quote"]
    assert source["title"] == "On channels"


async def test_the_stream_carries_the_same_events_and_the_same_answer(library: Library, program: Any) -> None:
    client = await in_thread(program, library.teams.ada)
    response = await client.post("/api/v1/ask/stream", {"question": QUESTION}, content_type="application/json")
    text = b"".join([part async for part in response.streaming_content]).decode()

    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    turn = await in_thread(Turn.objects.get, pk=events[0]["turn"])
    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "finished"
    assert events[-1]["answer"] == turn.answer == "".join(e["text"] for e in events if e["type"] == "delta")
    assert [e["marker"] for e in events if e["type"] == "citation"]

    again = await client.get(f"/api/v1/turns/{turn.pk}/events?after=3")
    rest = b"".join([part async for part in again.streaming_content]).decode()
    assert [json.loads(line[6:])["seq"] for line in rest.splitlines() if line.startswith("data: ")] == list(
        range(4, len(events) + 1)
    )


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"question": "   "}, 400, "The question is empty."),
        ({"question": "x" * 100_000}, 413, "The question has 100,000 characters."),
        ({}, 422, "'question' is missing."),
        ({"question": 3}, 422, "'question' must be a text."),
        ({"question": "q", "domain": "physics"}, 422, "'domain' is not known."),
        ({"question": "q", "domains": ["botany"]}, 404, "There is no domain 'botany'."),
        ({"question": "q", "session": 987654}, 404, "There is no such session."),
    ],
)
async def test_a_bad_question_gets_a_clear_error(
    library: Library, program: Any, body: dict[str, Any], status: int, error: str
) -> None:
    client = await in_thread(program, library.teams.ada)
    response = await client.post("/api/v1/ask", body, content_type="application/json")

    assert (response.status_code, as_json(response)["error"]) == (status, error)
    assert as_json(response)["advice"]
    assert await in_thread(Session.objects.count) == 0


async def test_a_body_that_is_not_json_is_told_so(library: Library, program: Any) -> None:
    client = await in_thread(program, library.teams.ada)
    response = await client.post("/api/v1/ask", "{nonsense", content_type="application/json")

    assert response.status_code == 400
    assert as_json(response)["error"] == "The body of the request is not JSON."


async def test_a_revoked_an_expired_and_an_invented_key_are_refused(library: Library) -> None:
    key, secret = await in_thread(create_key, library.teams.ada, name="script")
    client = Program(secret)
    allowed = (await client.get("/api/v1/sessions")).status_code
    await in_thread(ApiKey.objects.filter(pk=key.pk).update, expires=timezone.now() - timedelta(seconds=1))
    expired = (await client.get("/api/v1/sessions")).status_code
    await in_thread(ApiKey.objects.filter(pk=key.pk).update, expires=None, revoked=timezone.now())
    revoked = (await client.get("/api/v1/sessions")).status_code
    invented = (await Program("klea_nonsense").get("/api/v1/sessions")).status_code

    assert (allowed, expired, revoked, invented) == (200, 401, 401, 401)


async def test_only_the_hash_of_a_key_is_kept(library: Library) -> None:
    key, secret = await in_thread(create_key, library.teams.ada, name="script")
    assert secret not in str(await in_thread(ApiKey.objects.filter(pk=key.pk).values().get))


async def test_a_key_that_is_limited_to_a_domain_sees_nothing_of_others(library: Library, program: Any) -> None:
    await in_thread(Membership.objects.create, user=library.teams.ada, domain=library.teams.botany, role=Role.READER)
    everywhere = await in_thread(program, library.teams.ada)
    botanic = await in_thread(program, library.teams.ada, domains=["botany"])
    turn = as_json(await asked(everywhere, domains=["physics"]))

    seen = [await botanic.get(f"/api/v1/{path}") for path in (f"turns/{turn['id']}", f"sessions/{turn['session']}", "sessions")]
    domains = as_json(await botanic.get("/api/v1/domains"))
    foreign = await asked(botanic, domains=["physics"])
    loosened = as_json(await asked(botanic, "What is an ion channel?", domains=[]))
    makes_a_key = await botanic.post("/api/v1/keys", {"name": "more"}, content_type="application/json")

    assert [response.status_code for response in seen] == [404, 404, 200]
    assert as_json(seen[2]) == []
    assert "physics" not in json.dumps(domains)
    assert foreign.status_code == 404
    assert "protein" not in loosened["answer"]
    assert makes_a_key.status_code == 403


def test_a_browser_needs_the_csrf_token_to_change_something(library: Library) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(library.teams.ada)
    refused = client.post("/api/v1/sessions", {"title": "t"}, content_type="application/json")
    client.get("/")
    token = client.cookies["csrftoken"].value
    made = client.post("/api/v1/sessions", {"title": "t"}, content_type="application/json", headers={"X-CSRFToken": token})

    assert (refused.status_code, made.status_code) == (403, 201)
    assert as_json(refused)["error"] == "The request carries no valid CSRF token."


def test_whoever_is_not_signed_in_gets_401_everywhere(db: None) -> None:
    schema = as_json(Client().get("/api/v1/openapi.json"))
    answers = {
        f"{method} {path}": Client()
        .generic(method.upper(), path.replace("{", "").replace("}", "").replace("turn_id", "1").replace("session_id", "1"))
        .status_code
        for path, methods in schema["paths"].items()
        for method in methods
        if "{" not in path
    }
    assert set(answers.values()) == {401}, answers


def test_sessions_are_opened_renamed_exported_and_deleted(library: Library, client: Client) -> None:
    client.force_login(library.teams.ada)
    made = as_json(client.post("/api/v1/sessions", {"domains": ["physics"]}, content_type="application/json"))
    Turn.objects.create(
        session_id=made["id"], ordinal=1, question="Why?", answer="Because.", state="finished", domains=["physics"]
    )
    path = f"/api/v1/sessions/{made['id']}"
    renamed = as_json(client.patch(path, {"title": "Renamed"}, content_type="application/json"))
    held = as_json(client.get(path))
    markdown = client.get(f"{path}/export").content.decode()
    exported = as_json(client.get(f"{path}/export?format=json"))
    wrong = client.get(f"{path}/export?format=pdf")
    deleted = client.delete(path)

    assert (made["domains"], renamed["title"]) == (["physics"], "Renamed")
    assert held["turns"][0]["answer"] == "Because."
    assert markdown == "# Renamed\n\n## Why?\n\nBecause.\n"
    assert exported["turns"][0]["question"] == "Why?"
    assert wrong.status_code == 422
    assert "'markdown'" in as_json(wrong)["allowed"]
    assert deleted.status_code == 204
    assert not Session.objects.filter(pk=made["id"]).exists()


def test_an_answer_is_rated_by_its_asker_only(library: Library, client: Client) -> None:
    session = Session.objects.create(owner=library.teams.ada)
    turn = Turn.objects.create(session=session, ordinal=1, question="Why?", state="finished")
    path = f"/api/v1/turns/{turn.pk}/feedback"
    client.force_login(library.teams.ben)
    foreign = client.post(path, {"value": 1}, content_type="application/json")
    client.force_login(library.teams.ada)
    rated = as_json(client.post(path, {"value": -1, "text": "wrong page"}, content_type="application/json"))
    wrong = client.post(path, {"value": 7}, content_type="application/json")

    assert (foreign.status_code, rated["feedback"], wrong.status_code) == (404, -1, 422)


def test_an_answer_is_hidden_when_its_domain_is_no_longer_yours(library: Library, client: Client) -> None:
    session = Session.objects.create(owner=library.teams.ada)
    turn = Turn.objects.create(session=session, ordinal=1, question="Why?", answer="Secret", state="finished", domains=["botany"])
    client.force_login(library.teams.ada)
    shown = as_json(client.get(f"/api/v1/turns/{turn.pk}"))

    assert (shown["readable"], shown["answer"], shown["question"]) == (False, "", "Why?")


def test_keys_are_made_listed_and_revoked(library: Library, client: Client) -> None:
    client.force_login(library.teams.ada)
    made = as_json(client.post("/api/v1/keys", {"name": "script", "domains": ["physics"]}, content_type="application/json"))
    listed = as_json(client.get("/api/v1/keys"))
    revoked = as_json(client.delete(f"/api/v1/keys/{made['id']}"))
    client.force_login(library.teams.ben)
    foreign = client.delete(f"/api/v1/keys/{made['id']}")

    assert made["secret"].startswith("klea_")
    assert "secret" not in listed[0]
    assert revoked["revoked"]
    assert foreign.status_code == 404


def test_the_page_of_the_api_loads_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs").content.decode()
    assert "//cdn" not in page
    assert "ninja/swagger-ui-bundle.js" in page
    assert "<script>" not in page
