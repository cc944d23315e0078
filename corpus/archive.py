"""Read a ZIP archive that nobody vouches for: bounded in number, size, ratio and depth; its names never reach the disk."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from corpus.core.media_type import Refused
from corpus.core.relative_path import BadPath, clean_path

PIECE: Final = 1 << 18


@dataclass(frozen=True)
class Limits:
    """What an archive may hold: members, bytes in all, growth of one member when unpacked, folders above a member."""

    members: int = 10_000
    total_bytes: int = 4 << 30
    ratio: int = 250
    depth: int = 16


STANDARD: Final = Limits()
SMALL_BYTES: Final = 1 << 20
"""Below this size a high ratio is harmless; a page of blanks has one."""


@dataclass(frozen=True)
class Member:
    """A file in an archive: its clean relative path, and its bytes in pieces."""

    path: str
    content: Iterator[bytes]


def is_archive_name(name: str) -> bool:
    """Tell whether a name is that of an archive that is unpacked."""
    return name.lower().endswith(".zip")


def check(source: Path | IO[bytes], limits: Limits = STANDARD) -> None:
    """Refuse an archive whose own list of contents is over the limits or leads out of it.

    Raises:
        Refused: says why.
    """
    with _opened(source) as archive:
        _checked(archive, limits)


def members_of(source: Path | IO[bytes], limits: Limits = STANDARD) -> Iterator[Member]:
    """Give the files of an archive; what comes out is counted, whatever the archive says of itself.

    Raises:
        Refused: it is no ZIP archive, is protected, damaged, over a limit, or a name in it leads out of it.
    """
    with _opened(source) as archive:
        spent = [0]
        for info in _checked(archive, limits):
            yield Member(_path_of(info), _unpacked(archive, info, limits, spent))


@contextmanager
def _opened(source: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    with _faults_told(), zipfile.ZipFile(source) as archive:
        yield archive


@contextmanager
def _faults_told() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Refused("bad_archive", f"The ZIP archive is damaged ({error}).", "Make it again.") from error
    except RuntimeError as error:
        if "encrypted" not in str(error) and "password" not in str(error):
            raise
        raise Refused("protected_archive", "The ZIP archive has a password.", "Unpack it and upload the files.") from error


def _checked(archive: zipfile.ZipFile, limits: Limits) -> list[zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > limits.members:
        raise Refused("archive_too_large", f"The archive holds more than {limits.members:,} files.", "Split it.")
    files = [info for info in infos if not info.is_dir()]
    for info in files:
        _check_member(info, limits)
    if sum(info.file_size for info in files) > limits.total_bytes:
        raise _too_large(limits)
    return files


def _check_member(info: zipfile.ZipInfo, limits: Limits) -> None:
    path = _path_of(info)
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Refused("bad_archive", f"The archive holds a link ({path[:80]}).", "Leave links out of it.")
    if path.count("/") > limits.depth:
        raise Refused("bad_archive", f"The archive has folders more than {limits.depth} deep.", "Flatten it.")
    if info.file_size > SMALL_BYTES and info.file_size > limits.ratio * max(1, info.compress_size):
        raise _bomb(path)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: Limits, spent: list[int]) -> Iterator[bytes]:
    size = 0
    with _faults_told(), archive.open(info) as file:
        while piece := file.read(PIECE):
            size += len(piece)
            spent[0] += len(piece)
            if spent[0] > limits.total_bytes:
                raise _too_large(limits)
            if size > SMALL_BYTES and size > limits.ratio * max(1, info.compress_size):
                raise _bomb(info.filename)
            yield piece


def _path_of(info: zipfile.ZipInfo) -> str:
    try:
        return clean_path(info.filename)
    except BadPath as error:
        raise Refused("bad_archive", f"A name in the archive can't be used: {error}", "Make the archive again.") from error


def _too_large(limits: Limits) -> Refused:
    return Refused("archive_too_large", f"The archive unpacks to more than {limits.total_bytes >> 20} MB.", "Split it.")


def _bomb(path: str) -> Refused:
    return Refused("zip_bomb", f"{path[:80]} unpacks to far more than it should.", "Check where the file comes from.")
