"""What a conversion can do to itself costs its own file one attempt, with the cause, and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from corpus.converting import close_here
from corpus.ingestion import ACTIVE, add_file, cancel, drain, ingest, retry
from corpus.models import Collection, Outcome, SourceFile, StageAttempt, State
from tests.people import TwoTeams

PDF = b"%PDF-1.7\n"


@pytest.fixture(autouse=True)
def _obedient_child(settings: Any) -> Iterator[None]:
    settings.CONVERSION_CHILD = "tests.corpus.obedient_child"
    settings.CONVERSION = settings.CONVERSION | {"seconds_per_file": 2, "seconds_per_page": 0, "pages_per_range": 50}
    yield
    close_here()


def held(team: TwoTeams, path: str, content: bytes) -> SourceFile:
    return add_file(team.papers, path=path, content=[content]).source_file


def work() -> None:
    """Work until nothing waits, not even for another try."""
    while SourceFile.objects.filter(state__in=ACTIVE).exists():
        drain()
        time.sleep(0.2)


def after_work(file: SourceFile) -> SourceFile:
    work()
    file.refresh_from_db()
    return file


def test_a_crash_is_told_with_its_signal_and_the_next_file_is_converted(two_teams: TwoTeams) -> None:
    bad, good = held(two_teams, "a.md", b"segfault"), held(two_teams, "b.md", b"fine words")

    work()

    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.state, good.state) == (State.FAILED, State.READY)
    assert bad.state_detail["signal"] == 11
    assert "SIGSEGV" in bad.state_detail["cause"]
    assert StageAttempt.objects.filter(source_file=bad, stage="convert", outcome=Outcome.FAILED).count() == 3
    assert not bad.chunks.exists()


def test_a_child_that_was_killed_by_others_is_replaced_and_the_file_is_ready(two_teams: TwoTeams, tmp_path: Path) -> None:
    once = tmp_path / "once"

    file = after_work(held(two_teams, "a.md", f"killed-once {once}\nfine words".encode()))

    assert once.exists()
    assert file.state == State.READY
    outcomes = StageAttempt.objects.filter(source_file=file, stage="convert").values_list("outcome", flat=True)
    assert sorted(outcomes) == [Outcome.FAILED, Outcome.GOOD]


def test_a_conversion_that_never_returns_is_killed_after_its_time(two_teams: TwoTeams) -> None:
    bad, good = held(two_teams, "a.md", b"hang"), held(two_teams, "b.md", b"fine words")
    began = time.monotonic()

    drain()

    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.state, bad.state_detail["kind"], good.state) == (State.FAILED, "TimedOut", State.READY)
    assert time.monotonic() - began < 15


def test_pages_that_could_not_be_read_make_a_file_partial(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.pdf", PDF + b"pages: native failed failed native"))

    assert file.state == State.PARTIAL
    assert file.state_detail["missing"] == {"pages": [2, 3]}
    assert "pages 2-3" in file.state_detail["cause"]
    assert file.chunks.exists()


def test_pages_that_need_ocr_are_named_when_ocr_is_off(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.pdf", PDF + b"pages: native needs_ocr gibberish empty"))

    assert (file.state, file.state_detail["missing"]) == (State.PARTIAL, {"pages": [2, 3]})
    assert file.state_detail["advice"] == "Read the file by OCR."


def test_a_file_without_any_text_waits_for_ocr_before_it_is_converted(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.pdf", PDF + b"pages: needs_ocr needs_ocr"))

    assert file.state == State.NEEDS_OCR
    assert not StageAttempt.objects.filter(source_file=file, stage="convert").exists()


def test_one_click_ocr_changes_the_key_and_converts(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.pdf", PDF + b"pages: native needs_ocr"))
    key = file.conversion_key

    retry(SourceFile.objects.filter(pk=file.pk), ocr=Collection.Ocr.AUTO)
    file = after_work(file)

    assert file.conversion_key != key
    assert StageAttempt.objects.filter(source_file=file, stage="convert").count() == 2


def test_a_protected_file_waits_for_its_password(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.pdf", PDF + b"locked"))

    assert (file.state, file.state_detail["advice"]) == (State.PASSWORD_NEEDED, "Enter its password.")


def test_a_pdf_without_pages_fails(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.pdf", PDF + b"pages:"))

    assert (file.state, file.state_detail["cause"]) == (State.FAILED, "The PDF has no pages.")


def test_nothing_is_ready_without_a_passage(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.md", b"nothing"))

    assert file.state == State.FAILED
    assert file.state_detail["stage"] == "chunk"
    assert "No text was found" in file.state_detail["cause"]


@pytest.mark.django_db(transaction=True)
def test_a_file_is_cancelled_while_its_conversion_runs(two_teams: TwoTeams, settings: Any) -> None:
    settings.CONVERSION = settings.CONVERSION | {"seconds_per_file": 60}
    file = held(two_teams, "a.md", b"hang")

    def cancel_soon() -> None:
        while not StageAttempt.objects.filter(stage="convert", outcome=Outcome.RUNNING).exists():
            time.sleep(0.1)
        cancel(SourceFile.objects.filter(pk=file.pk))
        connection.close()

    thread = threading.Thread(target=cancel_soon)
    thread.start()
    began = time.monotonic()
    ended = ingest(file.pk)
    thread.join()

    assert ended == State.CANCELLED
    assert time.monotonic() - began < 15


@pytest.mark.django_db(transaction=True)
def test_a_task_that_runs_twice_at_once_gives_one_set_of_chunks(two_teams: TwoTeams) -> None:
    file = held(two_teams, "a.md", b"slow words\nand more")
    ended: list[Any] = []

    def run() -> None:
        ended.append(ingest(file.pk))
        close_here()
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(ended, key=str) == [None, State.READY]
    assert file.chunks.count() == 2
    assert StageAttempt.objects.filter(source_file=file, stage="convert").count() == 1


def test_a_conversion_that_broke_off_after_it_was_stored_is_not_done_again(two_teams: TwoTeams) -> None:
    file = after_work(held(two_teams, "a.md", b"fine words"))
    StageAttempt.objects.filter(source_file=file, stage="convert").update(outcome=Outcome.ABANDONED)
    StageAttempt.objects.filter(source_file=file, stage__in=["chunk", "embed"]).delete()
    chunks = list(file.chunks.values_list("pk", flat=True))
    SourceFile.objects.filter(pk=file.pk).update(state=State.CONVERTING)

    file = after_work(file)

    assert file.state == State.READY
    assert StageAttempt.objects.filter(source_file=file, stage="convert").first().detail["shared"] is True
    assert list(file.chunks.values_list("pk", flat=True)) == chunks
