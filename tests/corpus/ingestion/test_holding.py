from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from corpus import blobs
from corpus.core.media_type import Refused
from corpus.ingestion import add_file, ingest, prune, remove, retry
from corpus.ingestion.sealing import unseal
from corpus.models import Chunk, ReviewEvent, SourceFile, State
from tests.corpus.steps import Step
from tests.people import TwoTeams

Maker = Callable[..., SourceFile]


def blob_count(settings: object) -> int:
    return sum(path.is_file() for path in (Path(settings.MEDIA_ROOT) / "held").rglob("*"))  # type: ignore[attr-defined]


def test_the_same_bytes_under_two_paths_are_two_files_and_held_once(two_teams: TwoTeams, settings: object) -> None:
    one = add_file(two_teams.papers, path="a/x.md", content=[b"# X"])
    other = add_file(two_teams.papers, path="b/x.md", content=[b"#", b" X"])

    assert (one.change, other.change) == ("new", "new")
    assert one.source_file.content_hash == other.source_file.content_hash
    assert blob_count(settings) == 1


def test_the_same_file_again_changes_nothing(two_teams: TwoTeams) -> None:
    first = add_file(two_teams.papers, path="x.md", content=[b"# X"])
    ingest(first.source_file.pk)

    again = add_file(two_teams.papers, path="./x.md", content=[b"# X"])

    assert again.change == "same"
    assert again.source_file.state == State.READY


def test_changed_bytes_queue_the_file_and_its_old_chunks_stay_until_then(two_teams: TwoTeams, settings: object) -> None:
    first = add_file(two_teams.papers, path="x.md", content=[b"# X"]).source_file
    ingest(first.pk)

    changed = add_file(two_teams.papers, path="x.md", content=[b"# Y"])

    assert changed.change == "changed"
    assert changed.source_file.pk == first.pk
    assert changed.source_file.state == State.QUEUED
    assert Chunk.objects.filter(source_file=first).count() == 1
    assert ingest(first.pk) == State.READY


def test_the_old_bytes_go_when_no_file_has_them(
    two_teams: TwoTeams, settings: object, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    add_file(two_teams.papers, path="x.md", content=[b"# X"])
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        add_file(two_teams.papers, path="x.md", content=[b"# Y"])

    assert blob_count(settings) == 1


def test_a_removed_file_is_gone_everywhere_at_once(a_file: Maker, three_steps: tuple[Step, ...], settings: object) -> None:
    file = a_file()
    ingest(file.pk)

    assert remove(SourceFile.objects.filter(pk=file.pk)) == 1

    file.refresh_from_db()
    assert file.state == State.REMOVED
    assert not Chunk.objects.filter(source_file=file).exists()
    assert blob_count(settings) == 0
    assert [step.forgotten for step in three_steps] == [[file.pk]] * 3
    assert list(ReviewEvent.objects.filter(source_file=file).values_list("verb", flat=True)) == ["remove", "add"]


@pytest.mark.parametrize("state", [state for state in State if state != State.REMOVED])
def test_a_file_can_be_removed_in_every_state_and_added_again(two_teams: TwoTeams, state: State) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[b"# X"]).source_file
    SourceFile.objects.filter(pk=file.pk).update(state=state)

    assert remove(SourceFile.objects.filter(pk=file.pk), by=two_teams.ben) == 1

    again = add_file(two_teams.papers, path="x.md", content=[b"# X"])
    assert again.change == "new"
    assert again.source_file.pk != file.pk


def test_bytes_that_another_file_needs_stay(two_teams: TwoTeams, settings: object) -> None:
    one = add_file(two_teams.papers, path="a.md", content=[b"# X"]).source_file
    add_file(two_teams.herbarium, path="b.md", content=[b"# X"])

    remove(SourceFile.objects.filter(pk=one.pk))

    assert blob_count(settings) == 1


def test_files_gone_from_the_folder_are_pruned_on_request(two_teams: TwoTeams) -> None:
    for path in ("a.md", "b.md"):
        add_file(two_teams.papers, path=path, content=[path.encode()])
    add_file(two_teams.herbarium, path="c.md", content=[b"c"])

    assert prune(two_teams.papers, ["a.md"]) == ["b.md"]
    assert set(SourceFile.objects.held().values_list("path", flat=True)) == {"a.md", "c.md"}


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("../../etc/passwd.md", b"x", "bad_name"),
        ("/etc/passwd.md", b"x", "bad_name"),
        ("..\\x.md", b"x", "bad_name"),
        ("C:\\x.md", b"x", "bad_name"),
        ("a\x00b.md", b"x", "bad_name"),
        ("x" * 300 + ".md", b"x", "bad_name"),
        ("empty.pdf", b"", "empty"),
        ("page.pdf", b"<!DOCTYPE html><html><body>Sign in</body></html>", "not_a_pdf"),
        ("picture.pdf", b"\x89PNG\r\n\x1a\n" + b"0" * 50, "not_a_pdf"),
        ("data.xyz", b"x", "unknown_type"),
        ("noextension", b"x", "unknown_type"),
        ("paper.md", b"%PDF-1.4 ...", "wrong_type"),
        ("binary.txt", b"ab\x00\x01\x02" * 40, "binary"),
        ("feed.xml", b"<?xml version='1.0'?><rss></rss>", "unknown_type"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason_and_not_kept(
    two_teams: TwoTeams, settings: object, path: str, content: bytes, code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        add_file(two_teams.papers, path=path, content=[content])

    assert refusal.value.code == code
    assert str(refusal.value).endswith(".") or str(refusal.value).strip().endswith(".")
    assert not SourceFile.objects.exists()
    assert blob_count(settings) == 0


def test_a_file_over_the_limit_is_refused_while_it_comes_in(two_teams: TwoTeams, settings: object) -> None:
    settings.UPLOAD_MAX_BYTES = 1000  # type: ignore[attr-defined]
    came = []

    def endless() -> object:
        while True:
            came.append(1)
            yield b"x" * 100

    with pytest.raises(blobs.TooLarge):
        add_file(two_teams.papers, path="x.md", content=endless())  # type: ignore[arg-type]

    assert len(came) == 11
    assert blob_count(settings) == 0


def test_text_of_utf_16_is_text(two_teams: TwoTeams) -> None:
    added = add_file(two_teams.papers, path="x.txt", content=["Größe".encode("utf-16")])

    assert added.source_file.media_type == "text/plain"


def test_a_reader_may_not_add_or_remove(two_teams: TwoTeams, a_file: Maker) -> None:
    a_file()

    with pytest.raises(PermissionDenied):
        add_file(two_teams.papers, path="x.md", content=[b"# X"], by=two_teams.ada)
    with pytest.raises(PermissionDenied):
        remove(SourceFile.objects.all(), by=two_teams.ada)


def test_a_stranger_neither_adds_nor_sees(two_teams: TwoTeams, a_file: Maker) -> None:
    a_file()

    with pytest.raises(Http404):
        add_file(two_teams.papers, path="x.md", content=[b"# X"], by=two_teams.cleo)
    assert remove(SourceFile.objects.all(), by=two_teams.cleo) == 0
    assert retry(SourceFile.objects.all(), by=two_teams.cleo) == 0


def test_a_password_is_kept_encrypted_until_the_conversion_has_ended(a_file: Maker, three_steps: tuple[Step, ...]) -> None:
    file = a_file()
    SourceFile.objects.filter(pk=file.pk).update(state=State.PASSWORD_NEEDED)
    seen = []
    three_steps[0].does = lambda file, context: seen.append(dict(context.secrets))

    retry(SourceFile.objects.filter(pk=file.pk), password="open sesame")

    file.refresh_from_db()
    assert "sesame" not in file.sealed
    assert unseal(file) == {"password": "open sesame"}
    ingest(file.pk)
    file.refresh_from_db()
    assert seen == [{"password": "open sesame"}]
    assert file.sealed == ""
