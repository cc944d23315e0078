"""Every door of the library: what a stranger sees, what a reader may not do, what nonsense leads to."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpus.ingestion import add_file
from corpus.models import Chunk, SourceFile, State
from tests.people import TwoTeams


@pytest.fixture
def file(two_teams: TwoTeams) -> SourceFile:
    made = add_file(two_teams.papers, path="secret-plan.md", content=[b"# Plan"], by=two_teams.ben).source_file
    Chunk.objects.create(source_file=made, ordinal=0, text="The secret plan.", text_hash="0" * 64)
    return made


def as_user(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def addresses(file: SourceFile) -> list[str]:
    return [
        reverse("source-file", args=[file.pk]),
        reverse("source-file-state", args=[file.pk]),
        reverse("source-file-original", args=[file.pk]),
        reverse("page-picture", args=[file.pk, 1]),
        f"/api/v1/files/{file.pk}",
        f"/api/v1/files/{file.pk}/chunks",
    ]


def test_a_stranger_gets_404_at_every_address_of_a_file(two_teams: TwoTeams, file: SourceFile) -> None:
    client = as_user(two_teams.cleo)

    assert {address: client.get(address).status_code for address in addresses(file)} == dict.fromkeys(addresses(file), 404)


def test_nobody_gets_in_without_signing_in(file: SourceFile) -> None:
    codes = {Client().get(address).status_code for address in [*addresses(file), reverse("library"), reverse("library-list")]}

    assert codes <= {302, 401}


def test_lists_and_counts_leave_foreign_files_out(two_teams: TwoTeams, file: SourceFile) -> None:
    client = as_user(two_teams.cleo)

    for address in (reverse("library"), reverse("library-list"), f"{reverse('library')}?collection={two_teams.papers.pk}"):
        answer = client.get(address)
        assert b"secret-plan" not in answer.content
        assert b"Physics" not in answer.content
    told = client.get("/api/v1/files").json()
    assert (told["files"], told["count"], told["states"]) == ([], 0, {})
    assert [one["slug"] for one in client.get("/api/v1/domains").json()] == ["botany"]
    assert [one["slug"] for one in client.get("/api/v1/collections").json()] == ["herbarium"]
    assert client.get("/api/v1/collections?domain=physics").status_code == 404
    assert client.get("/api/v1/files?domain=physics").status_code == 404


def test_a_removed_file_is_gone_at_every_address(two_teams: TwoTeams, file: SourceFile) -> None:
    SourceFile.objects.filter(pk=file.pk).update(state=State.REMOVED)
    client = as_user(two_teams.ben)

    assert {client.get(address).status_code for address in addresses(file)} == {404}


def test_a_reader_sees_and_downloads_but_changes_nothing(two_teams: TwoTeams, file: SourceFile) -> None:
    client = as_user(two_teams.ada)

    assert b"The secret plan." in client.get(reverse("source-file", args=[file.pk])).content
    assert client.get(f"/api/v1/files/{file.pk}/chunks").json()["chunks"][0]["text"] == "The secret plan."
    for verb in ("retry", "cancel", "remove"):
        assert client.post(reverse("library-act"), {"verb": verb, "file": file.pk}).status_code == 403
    upload = {"collection": two_teams.papers.pk, "file": SimpleUploadedFile("x.md", b"# X")}
    assert client.post(reverse("library-upload"), upload).status_code == 403
    file.refresh_from_db()
    assert file.state == State.QUEUED


@pytest.mark.parametrize("verb", ["retry", "cancel", "remove"])
def test_a_stranger_changes_nothing(two_teams: TwoTeams, file: SourceFile, verb: str) -> None:
    client = as_user(two_teams.cleo)

    assert client.post(reverse("library-act"), {"verb": verb, "file": file.pk}).json() == {"count": 0}
    assert client.post(reverse("library-act"), {"verb": verb, "all": "1", "collection": two_teams.papers.pk}).json() == {
        "count": 0
    }
    file.refresh_from_db()
    assert file.state == State.QUEUED


def test_a_stranger_can_not_upload_by_any_door(two_teams: TwoTeams) -> None:
    client = as_user(two_teams.cleo)
    begin = json.dumps({"collection": str(two_teams.papers.pk), "path": "x.md", "size": 3, "mark": ""})

    assert client.post(reverse("library-upload"), {"collection": two_teams.papers.pk}).status_code == 404
    assert client.post(reverse("library-upload-begin"), begin, content_type="application/json").status_code == 404
    assert not SourceFile.objects.exists()


def test_an_upload_begun_by_another_is_unknown(two_teams: TwoTeams) -> None:
    begin = json.dumps({"collection": str(two_teams.papers.pk), "path": "x.md", "size": 3, "mark": ""})
    started = as_user(two_teams.ben).post(reverse("library-upload-begin"), begin, content_type="application/json").json()
    address = reverse("library-upload-piece", args=[started["upload"]])

    for user in (two_teams.mia, two_teams.cleo):
        answer = as_user(user).put(address, b"abc", content_type="application/octet-stream", headers={"Upload-Offset": "0"})
        assert answer.status_code == 404
    assert as_user(two_teams.ben).put(reverse("library-upload-piece", args=["made-up"]), b"abc").status_code == 404


def test_an_original_is_a_download_and_never_shown_inline(two_teams: TwoTeams) -> None:
    page = add_file(two_teams.papers, path="x.html", content=[b"<html><script>alert(1)</script></html>"]).source_file

    answer = as_user(two_teams.ada).get(reverse("source-file-original", args=[page.pk]))
    assert b"".join(answer.streaming_content) == b"<html><script>alert(1)</script></html>"  # type: ignore[attr-defined]
    answer.close()

    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer.headers["Content-Security-Policy"]


def test_names_and_texts_are_shown_as_text(two_teams: TwoTeams) -> None:
    made = add_file(two_teams.papers, path="<img src=x onerror=alert(1)>.md", content=[b"# X"]).source_file
    Chunk.objects.create(
        source_file=made, ordinal=0, text="<script>alert(2)</script>", headings=["<b>bold</b>"], text_hash="0" * 64
    )
    client = as_user(two_teams.ada)

    for address in (reverse("library"), reverse("source-file", args=[made.pk])):
        content = client.get(address).content
        assert b"<img src=x" not in content
        assert b"<script>alert" not in content
        assert b"<b>bold" not in content


NONSENSE = [
    "page=0",
    "page=-1",
    "page=nonsense",
    "page=99999999999999999999",
    "collection=x",
    "domain=99999999999999",
    "q=%00",
    "show=x",
    "per_page=100000",
    "per_page=-5",
]


@pytest.mark.parametrize("query", NONSENSE)
def test_nonsense_in_the_address_of_the_list_is_harmless(two_teams: TwoTeams, file: SourceFile, query: str) -> None:
    assert as_user(two_teams.ada).get(f"{reverse('library')}?{query}").status_code == 200


@pytest.mark.parametrize("query", ["page=0", "page=x", "page=99999999999999999", "part=x", "part=-1"])
def test_nonsense_in_the_address_of_a_file_is_harmless(two_teams: TwoTeams, file: SourceFile, query: str) -> None:
    assert as_user(two_teams.ada).get(f"{reverse('source-file', args=[file.pk])}?{query}").status_code == 200


def test_passages_are_changed_by_curators_only(two_teams: TwoTeams, file: SourceFile) -> None:
    chunk = Chunk.objects.get()
    address, new = reverse("passage-change", args=[chunk.pk]), reverse("passage-add", args=[file.pk])

    assert [as_user(one).post(address, {"text": "X"}).status_code for one in (two_teams.ada, two_teams.cleo)] == [403, 404]
    assert [as_user(one).post(new, {"text": "X"}).status_code for one in (two_teams.ada, two_teams.cleo)] == [403, 404]
    assert as_user(two_teams.ben).post(address, {"text": "The open plan."}).status_code == 302
    assert as_user(two_teams.ben).post(address, {"enabled": "0"}).status_code == 302
    assert as_user(two_teams.ben).post(new, {"text": "A note.", "headings": "Notes > Mine", "page": "2"}).status_code == 302
    assert as_user(two_teams.ben).post(new, {"text": "   "}).status_code == 302

    told = list(Chunk.objects.order_by("ordinal").values_list("text", "enabled", "edited", "headings", "pages"))
    assert told == [("The open plan.", False, True, [], []), ("A note.", True, True, ["Notes", "Mine"], [2])]


def test_actions_want_the_token_of_the_page(two_teams: TwoTeams, file: SourceFile) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(two_teams.ben)

    assert client.post(reverse("library-act"), {"verb": "remove", "file": file.pk}).status_code == 403
    file.refresh_from_db()
    assert file.state == State.QUEUED


def test_an_archive_that_leads_out_is_refused_and_nothing_of_it_is_taken(two_teams: TwoTeams) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("good.md", "# Good")
        archive.writestr("../../evil.md", "# Evil")
    upload = {"collection": two_teams.papers.pk, "file": SimpleUploadedFile("x.zip", out.getvalue())}

    told = as_user(two_teams.ben).post(reverse("library-upload"), upload).json()

    assert [(one["path"], one["change"], one["code"]) for one in told["files"]] == [("x.zip", "refused", "bad_archive")]
    assert not SourceFile.objects.exists()
