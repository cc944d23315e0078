from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus import blobs


def left_over(settings: object) -> list[Path]:
    return list((Path(settings.MEDIA_ROOT) / "incoming").glob("*"))  # type: ignore[attr-defined]


def test_bytes_are_held_under_their_hash(settings: object) -> None:
    held = blobs.hold([b"ab", b"c"], limit=100)

    assert held.content_hash == hashlib.sha256(b"abc").hexdigest()
    assert (held.size, held.head) == (3, b"abc")
    with blobs.local_copy(held.content_hash) as path:
        assert path.read_bytes() == b"abc"
    assert left_over(settings) == []


def test_an_upload_that_breaks_off_leaves_nothing(settings: object) -> None:
    def broken() -> Iterator[bytes]:
        yield b"a" * 1000
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        blobs.hold(broken(), limit=10_000)

    assert left_over(settings) == []


def test_a_full_disk_is_told_and_nothing_is_kept(settings: object) -> None:
    def on_a_full_disk() -> Iterator[bytes]:
        yield b"a"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(blobs.StorageFull) as error:
        blobs.hold(on_a_full_disk(), limit=10_000)

    assert "Free space" in error.value.advice
    assert left_over(settings) == []


def test_missing_bytes_are_told() -> None:
    with pytest.raises(blobs.BytesMissing), blobs.local_copy("0" * 64):
        pass
    with pytest.raises(blobs.BytesMissing):
        blobs.read("converted/nothing.json.gz")


def test_discarding_what_is_not_there_is_fine() -> None:
    blobs.discard("held/00/nothing")
