"""Every address of the site, found by walking the URL configuration, tried by somebody of another domain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from chat.models import ApiKey, Citation, Session, Turn, TurnEvent, Usage
from corpus.candidates import propose
from corpus.core.choosing import Proposal
from corpus.models import Chunk, FilterField, Membership, MetadataEntry, ReviewEvent, SourceFile, StageAttempt, State
from retrieval.models import GoldenQuestion, Store
from tests.people import TwoTeams

SECRET = "quuxferrite"
OPEN = {"sign-in", "sign-in-link", "sign-out", "health"}


@pytest.fixture
def secrets(two_teams: TwoTeams) -> dict[str, int]:
    """Fill the physicists' domain with rows that all hold one word; return an id of each kind."""
    two_teams.physics.name, two_teams.physics.description = f"Physics {SECRET}", SECRET
    two_teams.physics.save()
    two_teams.papers.name = SECRET
    two_teams.papers.save()
    file = SourceFile.objects.create(
        collection=two_teams.papers,
        path=f"{SECRET}.pdf",
        content_hash="0" * 64,
        size=1,
        state=State.READY,
        media_type="application/pdf",
        pages=[{"number": 1, "width": 600, "height": 800, "characters": 9, "kind": "native"}],
    )
    chunk = Chunk.objects.create(source_file=file, ordinal=0, text=SECRET, text_hash="1" * 64, metadata={"title": SECRET})
    entry = propose(MetadataEntry.objects.create(source_file=file), [Proposal("title", SECRET, "layout")], tiers=["layout"])
    attempt = StageAttempt.objects.create(source_file=file, stage=SECRET, version=1, key="k", outcome="good")
    event = ReviewEvent.objects.create(source_file=file, actor=two_teams.ben, verb=SECRET)
    field = FilterField.objects.create(domain=two_teams.physics, name=SECRET, description=SECRET)
    store = Store.objects.create(
        collection=two_teams.papers, name=SECRET, kind="vector", backend="memory", model="m", dimension=2
    )
    golden = GoldenQuestion.objects.create(domain=two_teams.physics, text=SECRET)
    session = Session.objects.create(owner=two_teams.ada, title=SECRET)
    turn = Turn.objects.create(session=session, ordinal=1, question=SECRET, answer=SECRET, state="finished", domains=["physics"])
    TurnEvent.objects.create(turn=turn, seq=1, type="delta", payload={"text": SECRET})
    citation = Citation.objects.create(turn=turn, marker=1, chunk=chunk, domain=two_teams.physics, snapshot={"text": SECRET})
    key = ApiKey.objects.create(owner=two_teams.ada, name=SECRET, prefix="klea_x", hash="2" * 64)
    usage = Usage.objects.create(turn=turn, user=two_teams.ada, role="chat", provider=SECRET)
    rows = [file, chunk, entry, attempt, event, field, store, golden, session, turn, citation, key, usage, two_teams.papers]
    rows += [two_teams.physics, entry.candidates.get(), Membership.objects.filter(domain=two_teams.physics).first()]
    return {row._meta.model_name: row.pk for row in rows}


def doors() -> list[tuple[str, list[str]]]:
    """Return each address as a template with the names of its parameters."""
    return sorted(set(_walk(get_resolver(), "/")))  # type: ignore[arg-type]


def _walk(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for entry in resolver.url_patterns:
        here = prefix + str(entry.pattern).lstrip("^").rstrip("$").replace(r"\Z", "")
        if isinstance(entry, URLResolver):
            yield from _walk(entry, here)
        elif isinstance(entry, URLPattern) and entry.name not in OPEN and "(?P" not in here:
            yield here, tuple(entry.pattern.converters)


def filled(address: str, names: tuple[str, ...], ids: dict[str, int]) -> set[str]:
    """Return the address with every id there is in the place of its parameters."""
    made = set()
    numbers_only = "<int:" in address
    for value in set(ids.values()) if numbers_only else {*list(ids.values())[:4], "unknown"}:
        text = address
        for name in names:
            for kind in ("int", "str", "path", "slug", "uuid"):
                text = text.replace(f"<{kind}:{name}>", str(value)).replace(f"<{name}>", str(value))
        made.add(text)
    return made


@pytest.mark.parametrize("is_staff", [False, True])
def test_nobody_of_another_domain_reads_a_word_of_it_at_any_address(
    client: Client, secrets: dict[str, int], two_teams: TwoTeams, *, is_staff: bool
) -> None:
    two_teams.cleo.is_staff = is_staff
    two_teams.cleo.save()
    client.force_login(two_teams.cleo)
    client.raise_request_exception = False

    leaks, broken, tried = [], [], 0
    for address, names in doors():
        for url in filled(address, names, secrets):
            answer = client.get(url)
            tried += 1
            body = (
                b"".join(answer.streaming_content)
                if answer.streaming and not answer.is_async
                else getattr(answer, "content", b"")
            )
            if SECRET.encode() in body.replace(url.encode(), b""):
                leaks.append(url)
            if answer.status_code >= 500:
                broken.append((url, answer.status_code))

    assert leaks == []
    assert broken == []
    assert tried > 100


def test_search_and_ask_find_nothing_of_another_domain(client: Client, secrets: dict[str, int], two_teams: TwoTeams) -> None:
    client.force_login(two_teams.cleo)

    def post(path: str, body: dict[str, Any]) -> Any:
        return client.post(f"/api/v1{path}", json.dumps(body), content_type="application/json")

    found = post("/search", {"text": SECRET})
    by_name = post("/search", {"text": SECRET, "domains": ["physics"]})

    assert found.status_code == 200
    assert found.json()["hits"] == []
    assert by_name.status_code == 404
