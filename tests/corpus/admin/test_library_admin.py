"""The library in the admin: what each role sees and may do."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpus.ingestion import add_file, ingest
from corpus.models import Chunk, Domain, MetadataEntry, SourceFile, State
from tests.corpus import steps
from tests.people import TwoTeams

MODELS = [
    "sourcefile",
    "metadataentry",
    "chunk",
    "domain",
    "collection",
    "membership",
    "filterfield",
    "candidate",
    "stageattempt",
    "reviewevent",
]


@pytest.fixture(autouse=True)
def _three_steps(settings: Any) -> None:
    steps.STEPS = (steps.Step("read"), steps.Step("cut", steps.one_chunk), steps.Step("index"))
    settings.INGESTION = "tests.corpus.steps.STEPS"


@pytest.fixture
def file(two_teams: TwoTeams) -> SourceFile:
    made = add_file(two_teams.papers, path="quarks.md", content=[b"# Quarks"], by=two_teams.ben).source_file
    ingest(made.pk)
    MetadataEntry.objects.create(source_file=made, values={"title": "On quarks"})
    return made


def staff(user: Any) -> Client:
    user.is_staff = True
    user.save()
    client = Client()
    client.force_login(user)
    return client


def change(model: str, pk: int) -> str:
    return reverse(f"admin:corpus_{model}_change", args=[pk])


def listing(model: str) -> str:
    return reverse(f"admin:corpus_{model}_changelist")


@pytest.mark.parametrize("model", MODELS)
def test_every_list_opens_searches_and_filters_for_a_manager(two_teams: TwoTeams, file: SourceFile, model: str) -> None:
    client = staff(two_teams.mia)

    assert client.get(listing(model)).status_code == 200
    assert client.get(f"{listing(model)}?q=quark").status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_foreign_rows_are_in_no_list(two_teams: TwoTeams, file: SourceFile, model: str) -> None:
    content = staff(two_teams.cleo).get(listing(model)).content

    assert b"quarks" not in content.lower()
    assert b"Physics" not in content


def test_foreign_rows_open_for_nobody(two_teams: TwoTeams, file: SourceFile) -> None:
    client = staff(two_teams.cleo)

    for address in (
        change("sourcefile", file.pk),
        change("chunk", Chunk.objects.get().pk),
        change("domain", two_teams.physics.pk),
        change("collection", two_teams.papers.pk),
    ):
        answer = client.get(address)
        assert answer.status_code == 302
        assert answer.headers["Location"] == reverse("admin:index")


def test_who_is_not_of_the_staff_stays_outside(two_teams: TwoTeams, file: SourceFile) -> None:
    client = Client()
    client.force_login(two_teams.ben)

    assert client.get(listing("sourcefile")).status_code == 302


def test_states_can_not_be_typed_in(two_teams: TwoTeams, file: SourceFile) -> None:
    SourceFile.objects.filter(pk=file.pk).update(state=State.FAILED)

    staff(two_teams.ben).post(change("sourcefile", file.pk), {"state": "ready", "path": "other.md", "ocr": ""} | no_inlines())

    file.refresh_from_db()
    assert (file.state, file.path) == (State.FAILED, "quarks.md")


def test_choosing_ocr_sends_the_file_through_again(two_teams: TwoTeams, file: SourceFile) -> None:
    staff(two_teams.ben).post(change("sourcefile", file.pk), {"ocr": "auto"} | no_inlines())

    file.refresh_from_db()
    assert (file.state, file.ocr) == (State.QUEUED, "auto")


@pytest.mark.parametrize(("action", "state"), [("retry", State.QUEUED), ("redo", State.QUEUED), ("cancel", State.FAILED)])
def test_actions_call_verbs(two_teams: TwoTeams, file: SourceFile, action: str, state: str) -> None:
    SourceFile.objects.filter(pk=file.pk).update(state=State.FAILED)

    staff(two_teams.ben).post(listing("sourcefile"), {"action": action, "_selected_action": [file.pk]})

    file.refresh_from_db()
    assert file.state == state


def test_deleting_removes_the_file_everywhere(two_teams: TwoTeams, file: SourceFile) -> None:
    client = staff(two_teams.ben)
    chosen = {"action": "delete_selected", "_selected_action": [file.pk], "post": "yes"}

    assert b"passages" in client.post(listing("sourcefile"), chosen | {"post": ""}).content
    client.post(listing("sourcefile"), chosen)

    file.refresh_from_db()
    assert file.state == State.REMOVED
    assert not Chunk.objects.exists()


def test_a_reader_may_not_act(two_teams: TwoTeams, file: SourceFile) -> None:
    client = staff(two_teams.ada)

    client.post(listing("sourcefile"), {"action": "redo", "_selected_action": [file.pk]})
    client.post(reverse("admin:corpus_sourcefile_delete", args=[file.pk]), {"post": "yes"})

    file.refresh_from_db()
    assert file.state == State.READY
    assert client.get(reverse("admin:corpus_sourcefile_add")).status_code == 403


def test_files_come_in_through_the_admin(two_teams: TwoTeams) -> None:
    client = staff(two_teams.ben)
    documents = [SimpleUploadedFile("a.md", b"# A"), SimpleUploadedFile("b.pdf", b"<html>")]

    answer = client.post(
        reverse("admin:corpus_sourcefile_add"), {"collection": two_teams.papers.pk, "documents": documents}, follow=True
    )

    assert b"1 of 2 files were taken" in answer.content
    assert b"Not taken: b.pdf: The file is named .pdf, but its bytes are an HTML page" in answer.content
    assert SourceFile.objects.get().path == "a.md"


def test_no_foreign_collection_can_be_uploaded_to(two_teams: TwoTeams) -> None:
    form = {"collection": two_teams.herbarium.pk, "documents": [SimpleUploadedFile("a.md", b"# A")]}

    answer = staff(two_teams.ben).post(reverse("admin:corpus_sourcefile_add"), form)

    assert b"Select a valid choice" in answer.content
    assert not SourceFile.objects.exists()


def test_a_passage_is_edited_by_the_verb(two_teams: TwoTeams, file: SourceFile) -> None:
    chunk = Chunk.objects.get()

    staff(two_teams.ben).post(change("chunk", chunk.pk), {"text": "Quarks are bound.", "enabled": "on"})

    chunk.refresh_from_db()
    assert (chunk.text, chunk.edited) == ("Quarks are bound.", True)
    file.refresh_from_db()
    assert file.state == State.INDEXING


def test_a_curator_sees_no_members_and_a_manager_changes_the_domain(two_teams: TwoTeams) -> None:
    assert b"mia" not in staff(two_teams.ben).get(change("domain", two_teams.physics.pk)).content
    assert b"membership" in staff(two_teams.mia).get(change("domain", two_teams.physics.pk)).content.lower()
    assert staff(two_teams.mia).get(reverse("admin:corpus_domain_add")).status_code == 403


def test_the_passages_of_a_collection_are_checked_with_samples(two_teams: TwoTeams, file: SourceFile) -> None:
    address = reverse("admin:corpus_collection_passages", args=[two_teams.papers.pk])

    page = staff(two_teams.ada).get(address)
    told = staff(two_teams.ada).get(f"/api/v1/collections/{two_teams.papers.pk}/lint").json()

    assert b"1 chunks, 1 files" in page.content
    assert b"quarks.md" in page.content
    assert (told["total"], len(told["samples"])) == (1, 1)
    assert staff(two_teams.cleo).get(address).status_code == 404
    assert staff(two_teams.cleo).get(f"/api/v1/collections/{two_teams.papers.pk}/lint").status_code == 404


def test_a_manager_can_not_give_rights_in_another_domain(two_teams: TwoTeams) -> None:
    form = {"domain": two_teams.botany.pk, "user": two_teams.mia.pk, "role": 30}

    staff(two_teams.mia).post(reverse("admin:corpus_membership_add"), form)

    assert not two_teams.botany.memberships.filter(user=two_teams.mia).exists()
    assert Domain.objects.visible_to(two_teams.mia).count() == 1


def no_inlines() -> dict[str, Any]:
    return {"attempts-TOTAL_FORMS": 0, "attempts-INITIAL_FORMS": 0}
