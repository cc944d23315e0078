"""Cases of the checks of metadata maps and of stored chunks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from corpus.core.linting import Subject, lint
from corpus.core.linting.map_report import lint_map
from corpus.core.linting.store_report import StoredChunk, chunk_sample, lint_store, sample_windows
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs

THIS_YEAR = datetime.now(tz=UTC).year


@runs("map_lint", when=lambda case: "entry" in case["input"])
def an_entry_has_its_findings(case: Case, suite: Suite) -> None:
    entry = with_years(case["input"]["entry"])
    codes = {finding.code for finding in lint(Subject(case["input"]["file"], entry, THIS_YEAR))}
    assert sorted(codes & set(suite.facts["issue_codes"])) == sorted(case["expect"]["codes"])


@runs("map_lint", when=lambda case: "map" in case["input"])
def a_map_is_counted(case: Case, _suite: Suite) -> None:
    report = lint_map(case["input"]["map"], current_year=THIS_YEAR)
    expected = case["expect"]
    assert (report.files, report.complete) == (expected["files"], expected["complete"])
    assert list(report.findings) == expected["files_with_issues"]
    assert report.placeholders == expected["placeholders"]


@runs("map_lint")
def keys_are_compared_to_the_files(case: Case, _suite: Suite) -> None:
    names, expected = case["input"]["map_keys"], case["expect"]
    report = lint_map(
        {name: {"DEFAULT": {}} for name in names}, current_year=THIS_YEAR, source_files=case["input"]["source_files"]
    )
    assert list(report.missing_keys) == expected.get("missing_keys", [])
    assert list(report.unknown_keys) == expected.get("unknown_keys", [])
    assert bool(report.exit_code) == expected["exit_nonzero"]
    assert all(name in report.as_text() for name in [*report.missing_keys, *report.unknown_keys, *report.findings])


@runs("store_lint", when=lambda case: "chunks" in case["input"])
def stored_chunks_have_their_findings(case: Case, _suite: Suite) -> None:
    report = lint_store(stored(chunk) for chunk in case["input"]["chunks"])
    for key, expected in case["expect"].items():
        if key == "text_contains":
            assert all(part in report.as_text() for part in expected)
        else:
            assert plain(getattr(report, key)) == expected


@runs("store_lint")
def no_samples_no_windows(case: Case, _suite: Suite) -> None:
    chunks = [stored({"file_name": "a.pdf", "len": 100}) for _ in range(10)]
    windows = [[chunks[place] for place in window] for window in sample_windows(10, case["input"]["samples"])]
    assert ("sample 1" in lint_store(chunks).as_text(windows)) == case["expect"]["windows_shown"]


@runs("sample_windows")
def windows_are_evenly_spaced(case: Case, _suite: Suite) -> None:
    assert sample_windows(case["input"]["chunks"], case["input"]["anchors"]) == case["expect"]


@runs("chunk_sample")
def a_chunk_is_shown_for_review(case: Case, _suite: Suite) -> None:
    given, expected = case["input"], case["expect"]
    shown = chunk_sample(stored({"len": 10, **given}), width=given.get("width", 200))
    assert all(part in shown for part in expected["contains"])
    if "then" in expected:
        assert shown.startswith("x" * expected["starts_with_chars"] + expected["then"])


def stored(chunk: dict[str, Any]) -> StoredChunk:
    text = chunk.get("text", "x" * chunk.get("len", 0))
    return StoredChunk(text, {key: value for key, value in chunk.items() if key not in {"text", "len", "width"}})


def plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return {key: plain(part) for key, part in value.items()} if isinstance(value, dict) else value


def with_years(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: with_years(part) for key, part in value.items()}
    if isinstance(value, str) and value.startswith("CURRENT+"):
        return THIS_YEAR + int(value.removeprefix("CURRENT+"))
    return value
