"""Take in what a person or a program hands over: files, archives, folders. One bad file never stops the others."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from corpus import archive, blobs, ingestion
from corpus.access import require
from corpus.core.media_type import HEAD_BYTES, Refused, extension_of, name_by_bytes
from corpus.core.source_selection import select_sources
from corpus.fetching import FetchRefused, fetch
from corpus.ingestion.permission import type_of_actor
from corpus.models import Collection, Role, SourceFile
from corpus.source_folder import FoundFile, FoundFolder, read_settled

Change = Literal["new", "changed", "same", "refused", "ignored"]


@dataclass(frozen=True)
class TakenIn:
    """What became of one file: its path, what changed, and for a refusal why and what to do."""

    path: str
    change: Change
    source_file_id: int | None = None
    code: str = ""
    cause: str = ""
    advice: str = ""


@dataclass
class FolderReport:
    """What became of the files of a folder."""

    taken_in: list[TakenIn] = field(default_factory=list)

    def count(self, change: Change) -> int:
        """Count the files of one kind of change."""
        return sum(one.change == change for one in self.taken_in)

    def paths(self) -> set[str]:
        """Return the paths that are in the folder, refused ones included."""
        return {one.path for one in self.taken_in if one.change != "ignored"}


def take_in(collection: Collection, *, name: str, file: IO[bytes], by: type_of_actor = None) -> list[TakenIn]:
    """Take in one file, or each file of a ZIP archive."""
    if archive.is_archive_name(name):
        with ingestion.one_wake_up():
            return list(take_in_archive(collection, name=name, file=file, by=by))
    return [_one(collection, name, blobs.pieces(file), by)]


def take_in_uploaded(
    collection: Collection, uploaded: UploadedFile[Any], *, path: str = "", by: type_of_actor = None
) -> list[TakenIn]:
    """Take in a file that came with a request; `path` says where it goes, else its own name."""
    if uploaded.file is None:
        return [TakenIn(path or uploaded.name or "", "refused", code="empty", cause="No bytes came with the file.")]
    return take_in(collection, name=path or uploaded.name or "", file=uploaded.file, by=by)


def take_in_address(collection: Collection, url: str, *, by: type_of_actor = None) -> list[TakenIn]:
    """Fetch a file from the web and take it in; its kind is found from its bytes where the address doesn't say it.

    Raises:
        FetchRefused: fetching is switched off, or the address may not be fetched.
    """
    if by is not None:
        require(by, collection.domain, Role.CURATOR)
    if not settings.URL_IMPORT:
        raise FetchRefused("Fetching from the web is switched off.", "Ask the operator to set KLEA_URL_IMPORT=1.")
    with tempfile.TemporaryDirectory(prefix="klea-fetch-") as folder:
        place = Path(folder) / "fetched"
        name = fetch(url, place, max_bytes=settings.UPLOAD_MAX_BYTES, allowed_private=settings.URL_IMPORT_HOSTS)
        with place.open("rb") as file:
            name = name_by_bytes(name, file.read(HEAD_BYTES))
            file.seek(0)
            return take_in(collection, name=name, file=file, by=by)


def take_in_archive(collection: Collection, *, name: str, file: IO[bytes], by: type_of_actor = None) -> Iterator[TakenIn]:
    """Take in the files of an archive, below the folder that is in it; what can't be read is told, not fatal."""
    try:
        for member in archive.members_of(file):
            if not select_sources([member.path]).taken:
                yield _ignored(member.path)
            else:
                yield _one(collection, member.path, member.content, by)
    except Refused as error:
        yield TakenIn(name, "refused", code=error.code, cause=error.cause, advice=error.advice)


def take_in_folder(
    collection: Collection, folder: FoundFolder, *, by: type_of_actor = None, told: Callable[[TakenIn], None] = lambda one: None
) -> FolderReport:
    """Take in the files of a folder; files whose bytes are held already under that path cost one reading.

    Args:
        collection: where.
        folder: as `corpus.source_folder.look_through` found it.
        by: who; None: the operator.
        told: called with each file's outcome, for progress.
    """
    known = {
        path: (pk, content_hash)
        for pk, path, content_hash in SourceFile.objects.held()
        .filter(collection=collection)
        .values_list("pk", "path", "content_hash")
    }
    report = FolderReport()
    with ingestion.one_wake_up():
        for one in _outcomes(collection, folder.files, known, by):
            report.taken_in.append(one)
            told(one)
    report.taken_in += [TakenIn(path, "ignored", cause=reason) for path, reason in folder.ignored]
    return report


def _outcomes(
    collection: Collection, files: Iterable[FoundFile], known: dict[str, tuple[int, str]], by: type_of_actor
) -> Iterator[TakenIn]:
    for found in files:
        pk, content_hash = known.get(found.path, (None, ""))
        if pk is not None and blobs.hash_of(found.place) == content_hash:
            yield TakenIn(found.path, "same", pk)
        else:
            yield _one(collection, found.path, read_settled(found.place), by)


def _one(collection: Collection, path: str, content: Iterable[bytes], by: type_of_actor) -> TakenIn:
    try:
        added = ingestion.add_file(collection, path=path, content=content, by=by)
    except Refused as error:
        return TakenIn(path, "refused", code=error.code, cause=error.cause, advice=error.advice)
    except blobs.StorageFull:
        raise
    except blobs.StorageError as error:
        return TakenIn(path, "refused", code="too_large", cause=str(error), advice=error.advice)
    except OSError as error:
        return TakenIn(path, "refused", code="unreadable", cause=f"The file can't be read ({error.strerror}).")
    return TakenIn(added.source_file.path, added.change, added.source_file.pk)


def _ignored(path: str) -> TakenIn:
    told = extension_of(path) or "no extension"
    return TakenIn(path, "ignored", code="unknown_type", cause=f"Klea can't read files of this type ({told}).")
