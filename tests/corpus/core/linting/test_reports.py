from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from corpus.core.linting.map_report import lint_map
from corpus.core.linting.store_report import StoredChunk, chunk_sample, lint_store, sample_windows


@given(st.integers(0, 500), st.integers(0, 20))
def test_windows_always_lie_inside(count: int, anchors: int) -> None:
    windows = sample_windows(count, anchors)
    assert len(windows) <= max(anchors, 0)
    assert all(0 <= place < count for window in windows for place in window)
    assert windows == sample_windows(count, anchors)


def test_a_map_report_can_be_written_as_text_and_json() -> None:
    report = lint_map(
        {"a.pdf": {"DEFAULT": {"title": "untitled"}, "Intro": {}}, "Old": {}}, current_year=2026, source_files=["a.pdf", "b.pdf"]
    )
    assert report.exit_code == 1
    assert report.by_code()["source_without_entry"] == 1
    assert json.loads(json.dumps(report.as_dict()))["placeholders"] == {"a.pdf": 1}
    assert "b.pdf: this source file has no entry" in report.as_text()


def test_light_findings_can_be_left_out() -> None:
    entries = {"a.pdf": {"DEFAULT": {"title": "A real title", "authors": ["Ann Bell"], "year": 2020}}}
    assert lint_map(entries, current_year=2026).findings
    assert not lint_map(entries, current_year=2026, least="warning").findings
    assert lint_map(entries, current_year=2026, least="warning").as_text().endswith("No issues found.")


def test_long_lists_are_cut_and_say_so() -> None:
    chunks = [StoredChunk("x", {"file_name": f"{number}.pdf"}) for number in range(30)]
    text = lint_store(chunks).as_text()
    assert text.count("… and 10 more") == 2
    assert "30 chunks, 30 files, 30 characters" in text


def test_what_is_no_text_or_no_file_is_counted() -> None:
    report = lint_store([StoredChunk(None, {}), StoredChunk("text " * 10, {"file_name": "a", "year": 2.5})])
    assert (report.invalid_content, report.no_file_name, report.invalid_year) == (1, 1, 1)
    assert "1 chunks whose content is no text" in report.as_text()
    assert chunk_sample(StoredChunk(None, {})).startswith("None")
