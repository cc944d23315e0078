"""A file from the upload to being found, changed, edited and removed: real stages and database, null embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corpus import blobs, chunk_editing
from corpus.converted import place_of_conversion
from corpus.converting import close_here
from corpus.ingestion import add_file, drain, ingest, redo, remove, retry
from corpus.models import Chunk, MetadataEntry, SourceFile, StageAttempt, State
from corpus.review import accept, edit
from retrieval.models import Embedding
from retrieval.search import SearchRequest, search
from tests.corpus.small_pdf import pdf_of
from tests.people import TwoTeams

CELLS = (
    b"# Purkinje cells\n\nPurkinje cells fire complex spikes when a climbing fibre is active.\n\n"
    b"## Methods\n\nWe recorded in vivo.\n"
)
CHANGED = CELLS.replace(b"We recorded in vivo.", b"We recorded in slices.")


pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True, scope="module")
def _one_child_for_all() -> Iterator[None]:
    yield
    close_here()


def found(team: TwoTeams, question: str) -> list[str]:
    return [hit.text for hit in search(SearchRequest(text=question, user=team.ada)).hits]


def queue_again(file: SourceFile) -> None:
    SourceFile.objects.filter(pk=file.pk).update(state=State.QUEUED)


def test_a_file_is_found_after_its_way_through_the_stages(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="cells/purkinje.md", content=[CELLS], by=two_teams.ben).source_file

    assert drain() == 1

    file.refresh_from_db()
    assert (file.state, file.state_detail) == (State.READY, {})
    chunks = list(file.chunks.all())
    assert chunks
    assert chunks[-1].headings[-1] == "Methods"
    assert chunks[0].metadata["path"] == "cells/purkinje.md"
    assert Embedding.objects.filter(chunk__source_file=file).count() == len(chunks)
    assert any("climbing fibre" in text for text in found(two_teams, "complex spikes of Purkinje cells"))
    entry = MetadataEntry.objects.get(source_file=file)
    assert entry.values["title"] == "Purkinje cells"


def test_a_second_pass_writes_nothing(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    chunks = list(file.chunks.order_by("pk").values())
    attempts = StageAttempt.objects.filter(source_file=file).count()
    queue_again(file)

    assert ingest(file.pk) == State.READY

    assert list(file.chunks.order_by("pk").values()) == chunks
    assert StageAttempt.objects.filter(source_file=file).count() == attempts


def test_doing_everything_again_gives_the_same_chunks_and_no_duplicate(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    before = list(file.chunks.order_by("pk").values_list("pk", "text"))
    redo(SourceFile.objects.filter(pk=file.pk))

    drain()

    assert list(file.chunks.order_by("pk").values_list("pk", "text")) == before
    assert Embedding.objects.filter(chunk__source_file=file).count() == len(before)


def test_the_same_bytes_twice_are_one_conversion(two_teams: TwoTeams) -> None:
    one = add_file(two_teams.papers, path="a/x.md", content=[CELLS]).source_file
    other = add_file(two_teams.papers, path="b/x.md", content=[CELLS]).source_file

    drain()

    keys = set(SourceFile.objects.values_list("conversion_key", flat=True))
    assert len(keys) == 1
    assert StageAttempt.objects.get(source_file=other, stage="convert").detail["shared"] is True
    assert one.chunks.count() == other.chunks.count()


def test_changed_bytes_replace_only_the_chunks_that_changed(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    kept = file.chunks.get(text__contains="climbing").pk
    old_conversion = SourceFile.objects.get(pk=file.pk).conversion_key

    add_file(two_teams.papers, path="x.md", content=[CHANGED])
    drain()

    assert file.chunks.get(text__contains="climbing").pk == kept
    assert not file.chunks.filter(text__contains="in vivo").exists()
    assert any("slices" in text for text in found(two_teams, "recorded in slices"))
    assert not blobs.exists(place_of_conversion(old_conversion))


def test_a_pdf_keeps_pages_and_boxes(two_teams: TwoTeams, tmp_path: Path) -> None:
    path = pdf_of(
        tmp_path / "x.pdf", ["Granule cells are many and small in the cerebellum.", "Golgi cells inhibit granule cells."]
    )
    file = add_file(two_teams.papers, path="x.pdf", content=[path.read_bytes()]).source_file

    drain()

    file.refresh_from_db()
    assert (file.state, file.page_count, file.pages_done) == (State.READY, 2, 2)
    assert [page["kind"] for page in file.pages] == ["native", "native"]
    golgi = file.chunks.get(text__contains="Golgi")
    assert 2 in golgi.pages
    assert all(len(box) == 5 for span in golgi.spans for box in span["boxes"])


def test_a_scan_without_ocr_waits_for_it_and_is_never_ready(two_teams: TwoTeams, scan: bytes) -> None:
    file = add_file(two_teams.papers, path="scan.pdf", content=[scan]).source_file

    drain()

    file.refresh_from_db()
    assert file.state == State.NEEDS_OCR
    assert file.state_detail["advice"]
    assert not file.chunks.exists()


def test_one_bad_file_among_good_ones_costs_itself_only(two_teams: TwoTeams) -> None:
    for number in range(3):
        add_file(two_teams.papers, path=f"good-{number}.md", content=[CELLS, str(number).encode()])
    add_file(two_teams.papers, path="bad.pdf", content=[b"%PDF-1.7\nthis is not a PDF at all"])

    drain()

    states = dict(SourceFile.objects.values_list("path", "state"))
    assert states.pop("bad.pdf") == State.FAILED
    assert set(states.values()) == {State.READY}
    assert SourceFile.objects.get(path="bad.pdf").state_detail["cause"]


def test_review_holds_a_file_back_until_a_curator_accepts(two_teams: TwoTeams) -> None:
    two_teams.papers.review_required = True
    two_teams.papers.save()
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    file.refresh_from_db()
    assert file.state == State.NEEDS_REVIEW
    assert not found(two_teams, "Purkinje cells")

    accept(two_teams.ben, MetadataEntry.objects.get(source_file=file).pk)
    drain()

    file.refresh_from_db()
    assert file.state == State.READY
    assert found(two_teams, "Purkinje cells")
    assert StageAttempt.objects.filter(source_file=file, stage="convert").count() == 1


def test_a_metadata_edit_reaches_the_chunks_without_another_conversion(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    before = set(file.chunks.values_list("pk", flat=True))

    edit(two_teams.ben, MetadataEntry.objects.get(source_file=file).pk, {"year": 1999})
    drain()

    file.refresh_from_db()
    assert file.state == State.READY
    assert set(file.chunks.values_list("pk", flat=True)) == before
    assert set(file.chunks.values_list("metadata__year", flat=True)) == {1999}
    assert StageAttempt.objects.filter(source_file=file, stage="convert").count() == 1


def test_an_edited_passage_is_found_by_its_new_words_and_kept_on_conversion(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    count = file.chunks.count()
    passage = file.chunks.get(text__contains="in vivo")

    chunk_editing.edit_text(two_teams.ben, passage.pk, "We recorded in anaesthetised zebrafish.")
    added = chunk_editing.add(two_teams.ben, file.pk, "A note by hand on mormyrids.", headings=["Notes"])
    drain()
    assert any("zebrafish" in text for text in found(two_teams, "zebrafish"))

    redo(SourceFile.objects.filter(pk=file.pk))
    drain()

    assert file.chunks.count() == count + 1
    assert file.chunks.get(text__contains="zebrafish").pk == passage.pk
    assert not file.chunks.filter(text__contains="in vivo").exists()
    assert Chunk.objects.get(pk=added.pk).ordinal == count
    assert any("mormyrids" in text for text in found(two_teams, "mormyrids"))


def test_a_passage_that_is_switched_off_is_not_found_and_stays_off(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    passage = file.chunks.get(text__contains="in vivo")

    chunk_editing.set_enabled(two_teams.ben, passage.pk, enabled=False)
    redo(SourceFile.objects.filter(pk=file.pk))
    drain()

    assert not any("in vivo" in text for text in found(two_teams, "recorded in vivo"))
    assert not Chunk.objects.get(pk=passage.pk).enabled


def test_a_removed_file_is_found_no_more(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, path="x.md", content=[CELLS]).source_file
    drain()
    assert found(two_teams, "Purkinje cells")

    remove(SourceFile.objects.filter(pk=file.pk), by=two_teams.ben)

    assert not found(two_teams, "Purkinje cells")
    assert not Embedding.objects.filter(chunk__source_file=file).exists()


def test_a_protected_pdf_opens_with_its_password(two_teams: TwoTeams, shared_data: Callable[[str], Path]) -> None:
    pdf = shared_data("pdf-messy-dev") / "encrypted" / "pypdf-r3-user-password.pdf"
    file = add_file(two_teams.papers, path="secret.pdf", content=[pdf.read_bytes()]).source_file
    drain()
    file.refresh_from_db()
    assert file.state == State.PASSWORD_NEEDED
    assert not file.chunks.exists()

    retry(SourceFile.objects.filter(pk=file.pk), password="wrong")
    drain()
    file.refresh_from_db()
    assert file.state == State.PASSWORD_NEEDED

    retry(SourceFile.objects.filter(pk=file.pk), password="asdfzxcv")
    drain()
    file.refresh_from_db()
    assert file.state == State.READY
    assert file.sealed == ""
