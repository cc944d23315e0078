"""Held bytes, named by their hash, on Django's default storage.

A name never stands for half of its bytes: on a file system they are written aside, flushed and renamed;
an object store puts them whole.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from django.core.files.base import File
from django.core.files.storage import default_storage

from corpus.core.media_type import HEAD_BYTES

PIECE: Final = 1 << 20


class StorageError(Exception):
    """Bytes could not be kept or read."""

    retryable = False
    advice = "Look at the site's log, or ask the operator."


class StorageFull(StorageError):  # noqa: N818
    """The disk is full; nothing was kept of the file."""

    advice = "Free space on the disk that holds Klea's data folder, then upload the file again."


class TooLarge(StorageError):  # noqa: N818
    """The file is over the limit; nothing was kept of it."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The file is larger than {limit // (1024 * 1024)} MB.")
        self.advice = "Split it, or ask the operator to raise KLEA_UPLOAD_MAX_MB."


class BytesMissing(StorageError):  # noqa: N818
    """Held bytes are not where they should be."""

    advice = "Upload the file again; if more files miss their bytes, restore the last backup."


@dataclass(frozen=True)
class Held:
    """Bytes that are held: SHA-256 in hexadecimal, size, the beginning, and the names in it where it is a ZIP archive."""

    content_hash: str
    size: int
    head: bytes
    members: tuple[str, ...] = ()


def place_of(content_hash: str) -> str:
    """Return where bytes of that hash are stored."""
    return f"held/{content_hash[:2]}/{content_hash}"


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """Read a file in pieces."""
    while piece := file.read(PIECE):
        yield piece


def hold(content: Iterable[bytes], *, limit: int) -> Held:
    """Store bytes under their hash; bytes that are held already cost nothing.

    Raises:
        TooLarge: more than `limit` bytes came.
        StorageFull: the disk has no room.
    """
    with _full_disk_told(), _aside() as (file, path):
        held = _spool(content, file, limit)
        if not default_storage.exists(place_of(held.content_hash)):
            _keep(path, place_of(held.content_hash))
        return held


def keep(name: str, data: bytes) -> None:
    """Store `data` under `name`, replacing what is there, at once or not at all."""
    with _full_disk_told(), _aside() as (file, path):
        file.write(data)
        file.flush()
        _keep(path, name)


def read(name: str) -> bytes:
    """Return what is stored under `name`.

    Raises:
        BytesMissing: nothing is.
    """
    try:
        with default_storage.open(name, "rb") as file:
            return bytes(file.read())
    except FileNotFoundError as error:
        raise BytesMissing(f"The stored file {name} is missing.") from error


def exists(name: str) -> bool:
    """Tell whether something is stored under `name`."""
    return bool(default_storage.exists(name))


def discard(name: str) -> None:
    """Delete what is stored under `name`; nothing there is fine."""
    with contextlib.suppress(FileNotFoundError):
        default_storage.delete(name)


@contextlib.contextmanager
def local_copy(content_hash: str) -> Iterator[Path]:
    """Give a path on this machine at which the held bytes can be read; never write to it.

    Raises:
        BytesMissing: the bytes are not held.
    """
    place = place_of(content_hash)
    if not default_storage.exists(place):
        raise BytesMissing(f"The bytes of the file ({content_hash[:12]}…) are missing.")
    try:
        path = Path(default_storage.path(place))
    except NotImplementedError:
        with _aside() as (file, copy), default_storage.open(place, "rb") as source:
            for piece in pieces(source):
                file.write(piece)
            file.flush()
            yield copy
        return
    yield path


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file on this machine, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def names_in_archive(path: Path | IO[bytes]) -> tuple[str, ...]:
    """Return the names in a ZIP archive, none if it can't be read as one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return tuple(archive.namelist()[:10_000])
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return ()


def _spool(content: Iterable[bytes], file: IO[bytes], limit: int) -> Held:
    digest, size, head = hashlib.sha256(), 0, b""
    for piece in content:
        size += len(piece)
        if size > limit:
            raise TooLarge(limit)
        digest.update(piece)
        if len(head) < HEAD_BYTES:
            head += piece[: HEAD_BYTES - len(head)]
        file.write(piece)
    file.flush()
    members: tuple[str, ...] = ()
    if head.startswith(b"PK\x03\x04"):
        file.seek(0)
        members = names_in_archive(file)
    return Held(digest.hexdigest(), size, head, members)


@contextlib.contextmanager
def _aside() -> Iterator[tuple[IO[bytes], Path]]:
    """Give a new file beside the store, on the same file system where there is one; it is gone afterwards."""
    folder = _incoming()
    descriptor, name = tempfile.mkstemp(prefix="incoming-", dir=folder)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file, path
    finally:
        path.unlink(missing_ok=True)


def _incoming() -> Path | None:
    try:
        folder = Path(default_storage.path("incoming"))
    except NotImplementedError:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(path: Path, name: str) -> None:
    try:
        target = Path(default_storage.path(name))
    except NotImplementedError:
        with path.open("rb") as file:
            default_storage.delete(name)
            default_storage.save(name, File(file))
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with path.open("rb") as file:
        os.fsync(file.fileno())
    path.chmod(0o640)
    path.replace(target)


@contextlib.contextmanager
def _full_disk_told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StorageFull("The disk is full. The file was not taken.") from error
        raise
