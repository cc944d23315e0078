from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpus.ingestion import ingest
from corpus.models import Collection, Domain, SourceFile, State
from tests.corpus import steps
from tests.corpus.small_pdf import pdf_of
from tests.people import TwoTeams


@pytest.fixture(autouse=True)
def _three_steps(db: None, settings: Any) -> None:
    steps.STEPS = (steps.Step("read"), steps.Step("cut", steps.one_chunk), steps.Step("index"))
    settings.INGESTION = "tests.corpus.steps.STEPS"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "my-papers"
    (root / "sub").mkdir(parents=True)
    (root / "a.md").write_text("# A", encoding="utf-8")
    (root / "sub" / "b.md").write_text("# B", encoding="utf-8")
    (root / "odd.xyz").write_text("?", encoding="utf-8")
    (root / "page.pdf").write_text("<html></html>", encoding="utf-8")
    return root


def run(*arguments: object, **options: Any) -> str:
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=out, **options)
    return out.getvalue()


def test_a_folder_is_ingested_and_told_file_by_file(two_teams: TwoTeams, folder: Path) -> None:
    told = run("ingest", folder, "--domain", "physics", "--wait")

    assert "new: a.md" in told
    assert "refused: page.pdf: The file is named .pdf, but its bytes are an HTML page" in told
    assert "ignored: odd.xyz" in told
    assert "[2/2] sub/b.md: READY, 1 passages" in told
    assert set(SourceFile.objects.values_list("path", "state")) == {("a.md", "ready"), ("sub/b.md", "ready")}


def test_an_unchanged_folder_does_nothing(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics", "--wait")
    before = [step.runs for step in steps.STEPS]

    told = run("ingest", folder, "--domain", "physics", "--wait")

    assert "0 new, 0 changed, 2 same" in told
    assert [step.runs for step in steps.STEPS] == before


def test_changed_settings_send_files_through_again(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics", "--wait")
    steps.STEPS[1].knobs = {"max_tokens": 9}

    told = run("ingest", folder, "--domain", "physics", "--wait")

    assert "2 files go through changed settings again" in told
    assert [step.runs for step in steps.STEPS] == [2, 4, 4]


def test_a_file_that_failed_is_not_tried_again_by_itself_but_by_retry(two_teams: TwoTeams, folder: Path) -> None:
    from corpus.stage import StageError

    steps.STEPS[1].does = steps.raising(StageError("Broken.", advice="Mend it."))
    with pytest.raises(CommandError, match="No file can be found"):
        run("ingest", folder, "--domain", "physics", "--wait")
    run("ingest", folder, "--domain", "physics")
    assert set(SourceFile.objects.values_list("state", flat=True)) == {State.FAILED}

    steps.STEPS[1].does = steps.one_chunk
    assert "2 files are tried again" in run("retry", "--domain", "physics", "--state", "failed", "--wait")
    assert set(SourceFile.objects.values_list("state", flat=True)) == {State.READY}


def test_gone_files_are_told_and_pruned_on_request(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics", "--wait")
    (folder / "a.md").unlink()

    assert "1 files of the collection are not in the folder" in run("ingest", folder, "--domain", "physics")
    assert "removed: a.md" in run("ingest", folder, "--domain", "physics", "--prune")
    assert list(SourceFile.objects.held().values_list("path", flat=True)) == ["sub/b.md"]


def test_an_unknown_domain_is_told_with_those_there_are(two_teams: TwoTeams, folder: Path) -> None:
    with pytest.raises(CommandError, match="Domains: botany, physics"):
        run("ingest", folder, "--domain", "chemistry")


def test_a_domain_is_made_on_request_and_the_collection_named_as_the_folder(folder: Path) -> None:
    run("ingest", folder, "--domain", "chemistry", "--create", "--ocr", "auto", "--review")

    collection = Collection.objects.get()
    assert (collection.domain.slug, collection.slug, collection.ocr) == ("chemistry", "my-papers", "auto")
    assert collection.review_required


def test_a_folder_that_is_not_there_is_an_error(two_teams: TwoTeams, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="doesn't exist"):
        run("ingest", tmp_path / "nothing", "--domain", "physics")


def test_files_are_listed_with_what_to_do(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics", "--wait")
    SourceFile.objects.filter(path="a.md").update(state="failed", state_detail={"cause": "Broken.", "advice": "Mend it."})

    assert "physics/papers: a.md: FAILED: Broken. Mend it." in run("files", "--domain", "physics")
    rows = [json.loads(line) for line in run("files", "--json", "--state", "failed").splitlines()]
    assert [(row["path"], row["state"]) for row in rows] == [("a.md", "failed")]


def test_stages_are_run_again_from_one_on(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics", "--wait")

    run("reingest", "--domain", "physics", "--path", "a", "--since", "cut", "--wait")

    assert [step.runs for step in steps.STEPS] == [2, 3, 3]
    with pytest.raises(CommandError, match="There is no stage"):
        run("reingest", "--since", "nonsense")


def test_the_passages_are_linted_with_samples(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics", "--wait")

    told = run("store_lint", "--domain", "physics")
    as_json = json.loads(run("store_lint", "--json", "--samples", "0"))

    assert "2 chunks" in told
    assert "--- sample 1" in told
    assert as_json["total"] == 2
    assert as_json["samples"] == []


def test_a_metadata_map_is_linted_and_a_missing_entry_is_fatal(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A", encoding="utf-8")
    (tmp_path / "map.json").write_text('{"b.md": {"DEFAULT": {"title": "untitled"}}}', encoding="utf-8")
    out = io.StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("map_lint", str(tmp_path / "map.json"), "--folder", str(tmp_path), stdout=out)

    assert ended.value.code == 1
    assert "a.md: this source file has no entry" in out.getvalue()
    assert "title_fallback" in out.getvalue()


def test_a_map_that_is_no_map_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text("not JSON", encoding="utf-8")

    with pytest.raises(CommandError, match="can't be read as a metadata map"):
        run("map_lint", tmp_path / "map.json")


@pytest.fixture
def pdfs(tmp_path: Path, scan: bytes) -> Path:
    root = tmp_path / "pdfs"
    root.mkdir()
    pdf_of(root / "text.pdf", ["Plenty of words stand on this page, more than fifty characters of them for sure."])
    (root / "scanned.pdf").write_bytes(scan)
    (root / "notes.md").write_text("# Notes", encoding="utf-8")
    return root


def test_a_folder_is_prechecked_and_copied_apart(pdfs: Path) -> None:
    told = run("precheck", pdfs, "--organise")
    listing = sorted(path.relative_to(pdfs).as_posix() for path in pdfs.rglob("*.*"))

    assert "2 PDFs: 1 need OCR, 1 are text-based" in told
    assert listing == ["no-ocr/notes.md", "no-ocr/text.pdf", "notes.md", "ocr/scanned.pdf", "scanned.pdf", "text.pdf"]
    run("precheck", pdfs, "--organise")
    assert sorted(path.relative_to(pdfs).as_posix() for path in pdfs.rglob("*.*")) == listing


def test_the_precheck_has_facts_of_pages_as_json(pdfs: Path) -> None:
    (pdfs / "broken.pdf").write_bytes(b"%PDF-1.4 broken")

    rows = {row["path"]: row for row in json.loads(run("precheck", pdfs, "--json"))}

    assert rows["text.pdf"]["pages"][0]["kind"] == "native"
    assert rows["scanned.pdf"]["needs_ocr"] is True
    assert rows["broken.pdf"]["error"]


def test_an_empty_folder_has_nothing_to_check_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    assert "0 PDFs" in run("precheck", tmp_path)
    with pytest.raises(CommandError, match="is not a folder"):
        run("precheck", tmp_path / "nothing")


def test_the_demo_domain_is_made_and_renewed(settings: Any, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    handbook = tmp_path / "docs" / "handbook"
    handbook.mkdir(parents=True)
    (handbook / "asking.md").write_text("# Asking", encoding="utf-8")
    (handbook / "old.md").write_text("# Old", encoding="utf-8")
    run("seed_demo", "--wait")
    (handbook / "old.md").unlink()

    told = run("seed_demo", "--wait")

    assert "Klea handbook: 1 ready" in told
    assert Domain.objects.get().slug == "klea-handbook"


def test_the_table_sets_results_beside_expectations(folder: Path) -> None:
    (folder / "manifest.jsonl").write_text('{"file": "a.md", "expect": "is ready"}\n', encoding="utf-8")

    told = run("ingestion_table", folder)
    rows = [json.loads(line) for line in run("ingestion_table", folder, "--json").splitlines() if line.startswith("{")]

    assert "| a.md | ready |" in told
    assert "is ready" in told
    assert {row["file"]: row["state"] for row in rows} == {
        "a.md": "ready",
        "odd.xyz": "ignored",
        "page.pdf": "refused",
        "sub/b.md": "ready",
    }


def test_a_file_that_another_worker_has_is_waited_for(two_teams: TwoTeams, folder: Path) -> None:
    run("ingest", folder, "--domain", "physics")
    for pk in SourceFile.objects.values_list("pk", flat=True):
        ingest(pk)

    assert "2 ready" in run("ingest", folder, "--domain", "physics", "--wait")
