from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus.source_folder import StillWritten, look_through, read_settled


def written(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, encoding="utf-8")


def test_files_are_found_in_order_below_folders(tmp_path: Path) -> None:
    written(tmp_path, "b.md", "a.md", "sub/c.PDF", "notes.xyz", ".klea-cache/x.md")

    found = look_through(tmp_path)

    assert [file.path for file in found.files] == ["a.md", "b.md", "sub/c.PDF"]
    assert [path for path, _ in found.ignored] == ["notes.xyz"]


def test_links_are_not_followed_and_said(tmp_path: Path) -> None:
    written(tmp_path, "in/a.md", "out/secret.md")
    (tmp_path / "in" / "link.md").symlink_to(tmp_path / "out" / "secret.md")
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "out")

    found = look_through(tmp_path / "in")

    assert [file.path for file in found.files] == ["a.md"]
    assert dict(found.ignored) == dict.fromkeys(["folder", "link.md"], "It is a link; links are not followed.")


def test_what_is_no_ordinary_file_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")

    assert look_through(tmp_path).files == ()


def test_a_file_as_folder_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "a.md")

    with pytest.raises(NotADirectoryError, match="is not a folder"):
        look_through(tmp_path / "a.md")


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "a.md")
    pieces = read_settled(tmp_path / "a.md")
    next(pieces)
    with (tmp_path / "a.md").open("a", encoding="utf-8") as file:
        file.write("more")

    with pytest.raises(StillWritten):
        list(pieces)
