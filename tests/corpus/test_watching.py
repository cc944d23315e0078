from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from corpus import watching
from corpus.models import SourceFile
from tests.people import TwoTeams


@pytest.fixture
def folder(two_teams: TwoTeams, settings: Any, tmp_path: Path) -> Path:
    place = tmp_path / "inbox"
    place.mkdir()
    settings.WATCH = [f"physics/papers={place}"]
    return place


def put(place: Path, text: str, *, seconds_ago: float = 60) -> None:
    place.write_text(text, encoding="utf-8")
    then = time.time() - seconds_ago
    os.utime(place, (then, then))


def test_new_and_changed_files_come_in_by_themselves(folder: Path) -> None:
    put(folder / "a.md", "# A")
    assert watching.look_again() == 1
    assert watching.look_again() == 0

    put(folder / "a.md", "# A, changed", seconds_ago=30)
    assert watching.look_again() == 1
    assert SourceFile.objects.get().size == len("# A, changed")


def test_a_file_that_is_just_being_written_is_left_for_the_next_look(folder: Path) -> None:
    put(folder / "a.md", "# A", seconds_ago=0)

    assert watching.look_again() == 0
    assert not SourceFile.objects.exists()


def test_a_file_that_is_gone_stays_in_the_library(folder: Path) -> None:
    put(folder / "a.md", "# A")
    watching.look_again()
    (folder / "a.md").unlink()

    assert watching.look_again() == 0
    assert SourceFile.objects.held().count() == 1


def test_a_wrong_setting_is_told_and_stops_nothing(
    folder: Path, settings: Any, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    put(folder / "a.md", "# A")
    settings.WATCH = ["nonsense", f"physics/papers={tmp_path / 'nothing'}", *settings.WATCH]

    assert watching.look_again() == 1
    assert "there is no collection 'nonsense'" in caplog.text
    assert "can't be looked at" in caplog.text
