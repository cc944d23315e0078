"""Watched folders: what is put into them comes into their collection by itself."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from django.conf import settings

from corpus.models import Collection
from corpus.source_folder import FoundFile, look_through
from corpus.upload import take_in_folder

SETTLED_S: Final = 5.0
"""A file that was written to more recently may not be complete."""

log = logging.getLogger(__name__)
_seen: dict[Path, tuple[int, int]] = {}


def look_again() -> int:
    """Take in what is new or changed in the watched folders; how many files came.

    A file is read again only when its size or time differs from the last look of this process. What is gone from a folder
    stays in the library until somebody prunes it.
    """
    return sum(_look_at(*watched) for watched in _watched())


def _look_at(collection: Collection, root: Path) -> int:
    try:
        folder = look_through(root)
    except (NotADirectoryError, PermissionError) as error:
        log.warning("The watched folder can't be looked at: %s", error)
        return 0
    changed = tuple(file for file in folder.files if _is_changed(file))
    report = take_in_folder(collection, replace(folder, files=changed, ignored=()))
    for one in report.taken_in:
        if one.change == "refused":
            log.warning("Watched folder %s: %s was not taken: %s %s", root, one.path, one.cause, one.advice)
    for file in changed:
        _seen[file.place] = _signs(file)
    return report.count("new") + report.count("changed")


def _watched() -> list[tuple[Collection, Path]]:
    """Return each watched folder with its collection; one that is not there is told."""
    found = []
    for entry in settings.WATCH:
        name, _, place = entry.partition("=")
        domain, _, slug = name.strip().partition("/")
        collection = Collection.objects.filter(domain__slug=domain, slug=slug).select_related("domain").first()
        if collection is None or not place:
            log.warning("KLEA_WATCH: there is no collection '%s'. Write domain/collection=/folder.", name)
        else:
            found.append((collection, Path(place.strip())))
    return found


def _is_changed(file: FoundFile) -> bool:
    size, time_ns = _signs(file)
    return _seen.get(file.place) != (size, time_ns) and time.time() - time_ns / 1e9 > SETTLED_S


def _signs(file: FoundFile) -> tuple[int, int]:
    found = file.place.lstat()
    return found.st_size, found.st_mtime_ns
