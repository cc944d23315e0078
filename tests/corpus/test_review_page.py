from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from corpus.candidates import propose
from corpus.core.choosing import Proposal
from corpus.models import MetadataEntry, SourceFile
from tests.people import TwoTeams


@pytest.fixture
def entry(two_teams: TwoTeams) -> MetadataEntry:
    for user in (two_teams.ben, two_teams.cleo, two_teams.ada):
        user.is_staff = True
        user.save()
    file = SourceFile.objects.create(collection=two_teams.papers, path="rain.pdf", content_hash="0" * 64, size=1)
    proposals = [Proposal("title", "On Rain", "layout"), Proposal("title", "ON SNOW", "text"), Proposal("year", 2020, "text")]
    return propose(MetadataEntry.objects.create(source_file=file), proposals, tiers=["layout", "text"])


def signed_in(client: Client, user: Any) -> Client:
    client.force_login(user)
    return client


def do(client: Client, entry: MetadataEntry, **asked: Any) -> Any:
    return client.post(f"/admin/review/{entry.pk}/do/", json.dumps(asked), content_type="application/json")


def test_the_page_shows_the_first_paper_with_its_candidates(client: Client, entry: MetadataEntry, two_teams: TwoTeams) -> None:
    answer = signed_in(client, two_teams.ben).get("/admin/review/")

    shown = answer.context["page"]["entry"]
    assert [candidate["value"] for candidate in shown["fields"][0]["candidates"]] == ["On Rain", "ON SNOW"]
    assert shown["fields"][0]["contested"] is True


def test_accepting_leaves_nothing_to_review(client: Client, entry: MetadataEntry, two_teams: TwoTeams) -> None:
    answer = do(signed_in(client, two_teams.ben), entry, do="accept", version=entry.version)

    assert answer.json()["waiting"] == 0
    assert client.get("/admin/review/next/").json() == {"entry": None, "waiting": 0}


def test_an_edit_of_an_old_version_is_refused_and_says_what_to_do(
    client: Client, entry: MetadataEntry, two_teams: TwoTeams
) -> None:
    answer = do(signed_in(client, two_teams.ben), entry, do="edit", values={"title": "X"}, version=entry.version - 1)

    assert answer.status_code == 409
    assert "not saved" in answer.json()["advice"]


@pytest.mark.parametrize(
    "asked", [{}, {"do": "explode"}, {"do": "edit", "values": "x"}, {"do": "edit", "values": {"_sources": []}}]
)
def test_what_cannot_be_done_is_answered_and_changes_nothing(
    client: Client, entry: MetadataEntry, two_teams: TwoTeams, asked: dict[str, Any]
) -> None:
    answer = do(signed_in(client, two_teams.ben), entry, **asked)

    entry.refresh_from_db()
    assert (answer.status_code, entry.values["title"]) == (400, "On Rain")


def test_a_body_that_is_no_json_is_answered(client: Client, entry: MetadataEntry, two_teams: TwoTeams) -> None:
    signed_in(client, two_teams.ben)

    assert client.post(f"/admin/review/{entry.pk}/do/", "{", content_type="application/json").status_code == 400


def test_a_curator_of_another_domain_neither_sees_nor_decides(client: Client, entry: MetadataEntry, two_teams: TwoTeams) -> None:
    signed_in(client, two_teams.cleo)

    statuses = [client.get(f"/admin/review/{entry.pk}/").status_code, do(client, entry, do="accept").status_code]

    assert statuses == [404, 404]
    assert client.get("/admin/review/next/").json()["waiting"] == 0


def test_a_reader_may_not_decide(client: Client, entry: MetadataEntry, two_teams: TwoTeams) -> None:
    assert do(signed_in(client, two_teams.ada), entry, do="accept").status_code == 403


def test_somebody_who_is_not_of_the_staff_is_sent_to_sign_in(client: Client, entry: MetadataEntry, two_teams: TwoTeams) -> None:
    assert signed_in(client, two_teams.mia).get("/admin/review/").status_code == 302
