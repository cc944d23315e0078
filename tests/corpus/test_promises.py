from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from corpus import blobs
from corpus.doctor import files_keep_their_promises
from corpus.ingestion import add_file, ingest
from corpus.models import Chunk, SourceFile, State
from corpus.promises import broken_promises, mend
from corpus.stage import Partial
from tests.corpus import steps
from tests.people import TwoTeams


@pytest.fixture
def file(two_teams: TwoTeams, settings: Any) -> SourceFile:
    names = ("read", "convert", "chunk", "embed", "probe")
    steps.STEPS = tuple(steps.Step(name, steps.one_chunk if name == "chunk" else lambda file, context: {}) for name in names)  # type: ignore[assignment]
    settings.INGESTION = "tests.corpus.steps.STEPS"
    made = add_file(two_teams.papers, path="a.md", content=[b"# A"]).source_file
    ingest(made.pk)
    return made


def told() -> list[tuple[str, str]]:
    return [(one.what, one.since) for one in broken_promises(SourceFile.objects.all(), probe=True)]


def test_a_sound_library_breaks_no_promise(file: SourceFile) -> None:
    assert told() == []
    assert files_keep_their_promises() == []


def test_a_ready_file_without_passages_is_found_and_mended(file: SourceFile) -> None:
    Chunk.objects.all().delete()

    assert told() == [("READY, but it has no passage.", "convert")]
    assert files_keep_their_promises()[0].hint == "Run: manage.py mend_library --mend."
    assert mend(broken_promises(SourceFile.objects.all())) == {"convert": 1}
    assert ingest(file.pk) == State.READY
    assert told() == []


def test_a_ready_file_with_pages_without_text_is_found(file: SourceFile) -> None:
    SourceFile.objects.update(pages=[{"number": 1, "kind": "native"}, {"number": 2, "kind": "needs_ocr"}])

    assert told() == [("READY, but 1 of its pages have no text.", "convert")]


def test_missing_bytes_are_found_and_nothing_pretends_to_mend_them(file: SourceFile) -> None:
    blobs.discard(blobs.place_of(file.content_hash))

    assert told() == [("Its bytes are missing. Upload it again or restore the last backup.", "")]
    assert mend(broken_promises(SourceFile.objects.all())) == {}


def test_a_file_that_a_store_does_not_find_is_found(file: SourceFile) -> None:
    steps.STEPS[-1].does = steps.raising(Partial("1 of 1 passages are not in every store.", "", {}))

    assert told() == [("READY, but 1 of 1 passages are not in every store.", "embed")]


def test_passages_of_a_removed_file_are_found(file: SourceFile) -> None:
    SourceFile.objects.update(state=State.REMOVED)

    assert told() == [("Removed, but its passages are still there.", "")]


def test_the_command_tells_and_ends_with_1_until_it_is_mended(file: SourceFile) -> None:
    Chunk.objects.all().delete()
    out = io.StringIO()

    with pytest.raises(SystemExit):
        call_command("mend_library", stdout=out)
    call_command("mend_library", "--mend", stdout=out)
    ingest(file.pk)
    call_command("mend_library", "--probe", stdout=out)

    assert "a.md: READY, but it has no passage." in out.getvalue()
    assert "1 files go through the stages from convert on again." in out.getvalue()
    assert out.getvalue().endswith("Every file keeps the promise of its state.\n")
