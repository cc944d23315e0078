"""Which files of a folder are source files, decided from their relative paths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from corpus.core.media_type import BY_EXTENSION, extension_of

CACHE_FOLDERS: Final = frozenset({".klea-cache", ".git", "__MACOSX"})
OCR_FOLDERS: Final = frozenset({"ocr", "no-ocr"})
STORE_MARKS: Final = frozenset({"chroma.sqlite3"})


@dataclass(frozen=True)
class Selection:
    """The source files of a folder, sorted, and the files that no converter reads."""

    taken: tuple[str, ...]
    ignored: tuple[str, ...]


def select_sources(paths: Iterable[str], *, excluded: Iterable[str] = ()) -> Selection:
    """Choose the source files among all files of a folder.

    Caches, stores of other programs (a folder with a chroma.sqlite3) and what is excluded are left out; of the rest, files
    whose extension a converter reads (in any case) are taken.

    Args:
        paths: relative paths with forward slashes.
        excluded: relative paths of files and folders to leave out, such as a metadata map in use.

    >>> select_sources(["b.md", "A.PDF", ".klea-cache/x.md", "st/chroma.sqlite3", "st/x.md", "notes.xyz"])
    Selection(taken=('A.PDF', 'b.md'), ignored=('notes.xyz',))
    """
    known = sorted(set(paths))
    stores = {path.rpartition("/")[0] for path in known if path.rpartition("/")[2] in STORE_MARKS} - {""}
    left_out = stores | {path.strip("/") for path in excluded}
    offered = [path for path in known if not _is_below(path, left_out) and not _is_hidden(path)]
    taken = tuple(path for path in offered if extension_of(path) in BY_EXTENSION)
    return Selection(taken, tuple(path for path in offered if extension_of(path) not in BY_EXTENSION))


def select_pdfs(paths: Iterable[str]) -> tuple[str, ...]:
    """Choose the PDFs that a pre-check looks at: not the copies that an earlier one put into ``ocr`` and ``no-ocr``."""
    taken = select_sources(paths).taken
    return tuple(path for path in taken if extension_of(path) == ".pdf" and path.split("/")[0] not in OCR_FOLDERS)


def _is_hidden(path: str) -> bool:
    *folders, name = path.split("/")
    return any(folder in CACHE_FOLDERS for folder in folders) or name.startswith("._")


def _is_below(path: str, places: set[str]) -> bool:
    parts = path.split("/")
    return any("/".join(parts[:depth]) in places for depth in range(1, len(parts) + 1))
