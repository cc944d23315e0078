"""Walk a folder of source files safely: sorted, no links, nothing outside of it, no file that is still being written."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus import blobs
from corpus.core.relative_path import BadPath, clean_path
from corpus.core.source_selection import select_sources


@dataclass(frozen=True)
class FoundFile:
    """A source file in a folder: its relative path and where it is."""

    path: str
    place: Path


@dataclass(frozen=True)
class FoundFolder:
    """The source files of a folder in order of their paths, and what was left out with the reason."""

    files: tuple[FoundFile, ...]
    ignored: tuple[tuple[str, str], ...]


class StillWritten(blobs.StorageError):
    """The file changed while it was read."""

    retryable = True
    advice = "Ingest the folder again when the file is complete."


def look_through(root: Path, *, excluded: Iterable[str] = ()) -> FoundFolder:
    """Find the source files below a folder.

    Args:
        root: the folder.
        excluded: relative paths of files and folders to leave out.

    Raises:
        NotADirectoryError: `root` is no folder.
    """
    if not root.is_dir():
        raise NotADirectoryError(f"{root} is not a folder.")
    places: dict[str, Path] = {}
    ignored: list[tuple[str, str]] = []
    for place in _everything(root):
        relative = place.relative_to(root).as_posix()
        if reason := _unfit(place):
            ignored.append((relative, reason))
            continue
        try:
            places[clean_path(relative)] = place
        except (BadPath, UnicodeError) as error:
            ignored.append((relative.encode("utf-8", "replace").decode(), str(error)))
    chosen = select_sources(places, excluded=excluded)
    ignored += [(path, "Klea can't read files of this type.") for path in chosen.ignored]
    return FoundFolder(tuple(FoundFile(path, places[path]) for path in chosen.taken), tuple(sorted(ignored)))


def read_settled(place: Path) -> Iterator[bytes]:
    """Read a file in pieces, and make sure that nobody wrote to it meanwhile.

    Raises:
        StillWritten: its size or time changed.
    """
    descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as file:
        before = os.fstat(file.fileno())
        yield from blobs.pieces(file)
        after = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise StillWritten(f"{place.name} is still being written.")


def _everything(root: Path) -> Iterator[Path]:
    """Give every file and every link below `root`; links are not followed."""
    for folder, folders, files in os.walk(root):
        folders.sort()
        here = Path(folder)
        yield from (here / name for name in folders if (here / name).is_symlink())
        yield from (here / name for name in files)


def _unfit(place: Path) -> str:
    mode = place.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "It is a link; links are not followed."
    return "" if stat.S_ISREG(mode) else "It is no ordinary file."
