"""Cases of the seeds' cache, manifest and pre-check command, asked of ours: the database is cache and manifest."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpus.converting import close_here
from corpus.core.serialisation.metadata_map import write_map
from corpus.ingestion import add_file, cancel, drain, ingest, prune, redo
from corpus.models import Chunk, FilterField, MetadataEntry, Outcome, SourceFile, StageAttempt, State
from corpus.review import edit
from retrieval.models import Embedding, Store
from retrieval.opening import ensure_stores
from retrieval.search import SearchRequest, search
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs
from tests.corpus.small_pdf import pdf_of
from tests.people import TwoTeams

LONG = "Plenty of words stand on this page, more than fifty characters of them for sure."


@runs("precheck", when=lambda case: case["input"].get("dir") == "absent")
def a_missing_folder_is_an_error(case: Case, _suite: Suite, tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("precheck", str(tmp_path / case["input"]["dir"]))


@runs("precheck", when=lambda case: "no-ocr" in case["expect"] or "same_listing" in case["expect"])
def files_are_copied_apart(case: Case, _suite: Suite, tmp_path: Path, scan: bytes) -> None:
    pdf_of(tmp_path / "text.pdf", [LONG])
    (tmp_path / "scanned.pdf").write_bytes(scan)
    (tmp_path / "notes.md").write_text("# Notes", encoding="utf-8")
    originals = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    listings = []
    for _ in range(case["input"].get("runs", 1)):
        call_command("precheck", str(tmp_path), "--organise", stdout=io.StringIO(), stderr=io.StringIO())
        listings.append({place: sorted(path.name for path in (tmp_path / place).iterdir()) for place in ("ocr", "no-ocr")})
    close_here()
    assert listings[0] == listings[-1]
    assert listings[0] == {"ocr": ["scanned.pdf"], "no-ocr": ["notes.md", "text.pdf"]}
    assert {name: (tmp_path / name).read_bytes() for name in originals} == originals


@runs("cache_and_manifest", when=lambda case: case["name"] == "prune_without_dir")
def pruning_nothing_is_fine(case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    assert prune(two_teams.papers, []) == []


@runs("cache_and_manifest", when=lambda case: "title" in case["input"])
def a_map_is_written_literally(case: Case, _suite: Suite) -> None:
    assert case["expect"]["file_contains"] in write_map({"a.pdf": {"DEFAULT": {"title": case["input"]["title"]}}})


@runs("cache_and_manifest", when=lambda case: "file_headings" in case["input"])
def a_folder_that_gives_nothing_is_an_error(
    case: Case, _suite: Suite, two_teams: TwoTeams, tmp_path: Path, settings: Any
) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    (tmp_path / "a.md").write_text("nothing", encoding="utf-8")
    with pytest.raises(CommandError, match="No file can be found by a question"):
        call_command("ingest", str(tmp_path), "--domain", "physics", "--wait", stdout=io.StringIO(), stderr=io.StringIO())
    close_here()


@runs("cache_and_manifest", when=lambda case: "embed_batch_size" in case["input"] or "chunks" in case["input"])
def every_chunk_is_stored_whatever_the_batch(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    count = case["input"]["chunks"]
    text = "\n".join(f"Line {number}" for number in range(count)) or "nothing"
    file = ingested(two_teams, "a.md", text)
    made = (file.chunks.count(), Embedding.objects.count(), len(found(two_teams, "line")))
    assert made == (count, count, count)
    assert (file.state == State.READY) == (count > 0)


@runs("cache_and_manifest", when=lambda case: "manifest_hash" in case["input"])
def an_unchanged_file_is_skipped(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    ingested(two_teams, "a.md", "words")
    attempts = StageAttempt.objects.count()
    assert add_file(two_teams.papers, path="a.md", content=[b"words"]).change == "same"
    assert (drain(), StageAttempt.objects.count() - attempts) == (case["expect"]["added"], 0)


@runs("cache_and_manifest", when=lambda case: "force" in case["input"])
def doing_everything_again_starts_over(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    file = ingested(two_teams, "a.md", "words")
    redo(SourceFile.objects.filter(pk=file.pk))
    drain()
    assert StageAttempt.objects.filter(source_file=file, stage="convert", outcome=Outcome.GOOD).count() == 2
    assert (Chunk.objects.count(), Embedding.objects.count()) == (1, 1)


@runs("improve", when=lambda case: case["name"] in {"manifest_bound_to_store", "manifest_bound_to_embedding_model"})
def a_new_store_or_model_gets_everything(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    file = ingested(two_teams, "a.md", "one\ntwo")
    vector = next(store for store in ensure_stores(two_teams.papers) if store.kind == Store.Kind.VECTOR)
    other = Store.objects.create(
        collection=two_teams.papers,
        name="other",
        kind=vector.kind,
        backend=vector.backend,
        model=vector.model,
        dimension=vector.dimension,
    )
    SourceFile.objects.filter(pk=file.pk).update(state=State.QUEUED)
    ingest(file.pk)
    assert Embedding.objects.filter(store=other).count() == 2


@runs("improve", when=lambda case: case["name"] == "metadata_edit_without_force")
def a_metadata_edit_reaches_both_sides(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    file = ingested(two_teams, "a.md", "words")
    FilterField.objects.create(domain=two_teams.physics, name="year", value_type=FilterField.ValueType.INT)
    vectors = list(Embedding.objects.values_list("pk", flat=True))
    edit(two_teams.ben, MetadataEntry.objects.get(source_file=file).pk, {"year": 1986})
    drain()
    for where in ({"year": {"$eq": 1986}}, {"year": {"$eq": 1987}}):
        hits = search(SearchRequest(text="words", user=two_teams.ada, where=where, relax=False)).hits
        assert len(hits) == (where["year"]["$eq"] == 1986)
    assert list(Embedding.objects.values_list("pk", flat=True)) == vectors


@runs("improve", when=lambda case: case["name"] == "chunk_settings_in_cache_key")
def other_chunk_settings_cut_anew(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    file = ingested(two_teams, "a.md", "words")
    two_teams.papers.max_tokens = case["input"]["max_tokens"][1]
    two_teams.papers.save()
    SourceFile.objects.filter(pk=file.pk).update(state=State.QUEUED)
    ingest(file.pk)
    assert StageAttempt.objects.filter(source_file=file, stage="chunk").count() == 2
    assert StageAttempt.objects.filter(source_file=file, stage="convert").count() == 1


@runs("improve", when=lambda case: case["name"] == "same_basename_in_two_folders")
def equal_names_in_two_folders_are_two_files(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    for path in case["input"]["files"]:
        ingested(two_teams, path.replace(".pdf", ".md"), f"words of {path}")
    assert sorted(found(two_teams, "words")) == sorted(f"words of {path}" for path in case["input"]["files"])


@runs("improve", when=lambda case: case["name"] == "two_stores_into_one_collection_lexical")
def a_second_run_adds_to_the_words(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any, tmp_path: Path) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    for place in case["input"]["runs"]:
        folder = tmp_path / place
        folder.mkdir()
        (folder / f"{place.strip('/')}.md").write_text(f"words {place}", encoding="utf-8")
        call_command("ingest", str(folder), "--domain", "physics", "--wait", stdout=io.StringIO(), stderr=io.StringIO())
    close_here()
    assert len(found(two_teams, "words")) == len(case["input"]["runs"])


@runs("improve", when=lambda case: case["name"] == "corpus_file_not_executable")
def nothing_stored_is_executable(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    ingested(two_teams, "a.md", "words")
    stored = [path for path in Path(settings.MEDIA_ROOT).rglob("*.gz") if path.is_file()]
    import gzip

    assert all(isinstance(json.loads(gzip.decompress(path.read_bytes())), dict) for path in stored)
    assert stored


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "job_never_stuck")
def no_job_is_stuck(case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    file = add_file(two_teams.papers, path="a.md", content=[b"words"]).source_file
    SourceFile.objects.filter(pk=file.pk).update(
        state=State.CONVERTING, lease_holder="gone|1|1|x", lease_until="2001-01-01T00:00:00Z"
    )
    StageAttempt.objects.create(source_file=file, stage="convert", version=1, key="k", outcome=Outcome.RUNNING)
    drain()
    file.refresh_from_db()
    assert file.state == State.READY
    for state in State:
        SourceFile.objects.filter(pk=file.pk).update(state=state)
        assert cancel(SourceFile.objects.filter(pk=file.pk)) in {0, 1}
    close_here()


def ingested(team: TwoTeams, path: str, text: str) -> SourceFile:
    file = add_file(team.papers, path=path, content=[text.encode()]).source_file
    drain()
    close_here()
    file.refresh_from_db()
    return file


def found(team: TwoTeams, question: str) -> list[str]:
    return [hit.text for hit in search(SearchRequest(text=question, user=team.ada, limit=50)).hits]
