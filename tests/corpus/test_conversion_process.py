from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.conversion_process import ConversionProcess, Limits
from corpus.converter import ConversionRequest, Corrupt, Crashed, OutOfMemory, PasswordNeeded, TimedOut
from tests.corpus.small_pdf import pdf_of


@pytest.fixture
def fake() -> Iterator[ConversionProcess]:
    made = ConversionProcess(
        Limits(memory_bytes=400 << 20, seconds_per_file=2, seconds_per_page=0), child="tests.corpus.fake_child"
    )
    yield made
    made.close()


@pytest.fixture
def real() -> Iterator[ConversionProcess]:
    made = ConversionProcess(Limits())
    yield made
    made.close()


def text(name: str) -> ConversionRequest:
    return ConversionRequest(path=f"/nowhere/{name}", media_type="text/plain", name=name)


@pytest.mark.parametrize(("name", "signal"), [("segfault", 11), ("killed", 9)])
def test_a_child_that_dies_by_a_signal_is_recorded_with_it(fake: ConversionProcess, name: str, signal: int) -> None:
    with pytest.raises(Crashed) as caught:
        fake.convert(text(name))
    assert caught.value.signal == signal


def test_a_child_that_ends_by_itself_is_a_crash_without_a_signal(fake: ConversionProcess) -> None:
    with pytest.raises(Crashed, match="exit code 3"):
        fake.convert(text("exit"))


def test_a_child_that_hangs_and_ignores_polite_signals_is_killed(fake: ConversionProcess) -> None:
    began = time.monotonic()

    with pytest.raises(TimedOut, match="longer than 2 seconds"):
        fake.convert(text("hang"))
    assert time.monotonic() - began < 10


def test_a_child_that_eats_memory_is_stopped(fake: ConversionProcess) -> None:
    with pytest.raises(OutOfMemory, match="400 MB"):
        fake.convert(text("eat"))
    assert fake.peak_bytes > 400 << 20


def test_the_next_file_is_converted_after_a_crash(fake: ConversionProcess) -> None:
    with pytest.raises(Crashed):
        fake.convert(text("segfault"))

    assert fake.convert(text("good")).document["pid"] > 0


def test_a_cancelled_conversion_takes_its_child_along(fake: ConversionProcess) -> None:
    pid = fake.convert(text("good")).document["pid"]

    def cancel() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        fake.convert(text("hang"), tick=cancel)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_child_is_kept_from_file_to_file(fake: ConversionProcess) -> None:
    assert fake.convert(text("one")).document == fake.convert(text("two")).document


def test_only_the_damaged_page_of_a_long_file_is_lost(fake: ConversionProcess) -> None:
    long = ConversionRequest(path="/nowhere/bad-page-8", media_type="application/pdf", name="x.pdf")

    converted = fake.convert(long)

    assert [page.number for page in converted.pages] == list(range(1, 9))
    assert [page.number for page in converted.pages if page.kind == "failed"] == [3]


def test_a_real_pdf_comes_back_with_text_and_boxes(real: ConversionProcess, tmp_path: Path) -> None:
    path = pdf_of(tmp_path / "a.pdf", ["Rain falls mainly on the plain.", "Snow falls on the hills."])
    request = ConversionRequest(path=str(path), media_type="application/pdf", name="a.pdf", ocr="never")

    chunks = real.chunk(real.convert(request), max_tokens=64, tokenizer="")

    assert "Rain falls mainly on the plain." in chunks[0].text
    assert chunks[0].spans[0].boxes[0].page == 1
    assert {page for chunk in chunks for page in chunk.pages} == {1, 2}


@pytest.mark.parametrize("content", [b"", b"<html>no pdf</html>", b"%PDF-1.7 cut off"])
def test_what_is_no_pdf_is_told(real: ConversionProcess, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(content)

    with pytest.raises(Corrupt) as caught:
        real.convert(ConversionRequest(path=str(path), media_type="application/pdf", name="a.pdf"))
    assert str(tmp_path) not in str(caught.value)


def test_a_protected_pdf_asks_for_its_password(real: ConversionProcess, shared_data: object) -> None:
    folder = shared_data("pdf-messy-dev")  # type: ignore[operator]
    request = ConversionRequest(str(folder / "encrypted" / "pypdf-r3-user-password.pdf"), "application/pdf", "x.pdf", ocr="never")

    with pytest.raises(PasswordNeeded, match="protected"):
        real.convert(request)
