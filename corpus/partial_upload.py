"""A large upload in pieces: what has come in stays, so that it goes on where it broke off."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core import signing

from corpus.blobs import StorageError, StorageFull

SALT: Final = "klea.partial-upload"
KEPT_S: Final = 7 * 86_400
PIECE_MAX: Final = 8 * 1024 * 1024


class WrongOffset(StorageError):  # noqa: N818
    """A piece doesn't follow what has come in."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"The upload goes on at byte {offset}.")
        self.offset = offset
        self.advice = "Send the piece that begins there."


@dataclass(frozen=True)
class PartialUpload:
    """An upload that was begun: whose, where to, under which path, how many bytes."""

    user_id: int
    collection_id: int
    path: str
    size: int
    mark: str

    @property
    def token(self) -> str:
        """The name that the browser uses; signed, so that nobody makes one up."""
        return signing.dumps([self.user_id, self.collection_id, self.path, self.size, self.mark], salt=SALT)

    @property
    def place(self) -> Path:
        """Where the pieces are gathered."""
        told = "\x00".join(map(str, [self.user_id, self.collection_id, self.path, self.size, self.mark]))
        return folder() / f"{hashlib.sha256(told.encode()).hexdigest()}.part"

    @property
    def offset(self) -> int:
        """How many bytes have come in."""
        return self.place.stat().st_size if self.place.exists() else 0

    def append(self, piece: bytes, *, at: int) -> int:
        """Add the next piece and return the new offset.

        Raises:
            WrongOffset: the piece begins elsewhere, or goes over the announced size.
            StorageFull: the disk has no room.
        """
        if at != self.offset or at + len(piece) > self.size:
            raise WrongOffset(self.offset)
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            with self.place.open("ab") as file:
                file.write(piece)
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                os.truncate(self.place, at)
                raise StorageFull("The disk is full. The upload waits.") from error
            raise
        return at + len(piece)

    def discard(self) -> None:
        """Delete what has come in."""
        self.place.unlink(missing_ok=True)


def by_token(token: str, user_id: int) -> PartialUpload | None:
    """Return the upload of that token if it is `user_id`'s own."""
    try:
        owner, collection_id, path, size, mark = signing.loads(token, salt=SALT, max_age=KEPT_S)
    except (signing.BadSignature, ValueError):
        return None
    return PartialUpload(owner, collection_id, path, size, mark) if owner == user_id else None


def sweep() -> int:
    """Delete uploads that nobody went on with for a week; return how many."""
    old = [place for place in folder().glob("*.part") if place.stat().st_mtime < time.time() - KEPT_S]
    for place in old:
        place.unlink(missing_ok=True)
    return len(old)


def folder() -> Path:
    """Return where uploads are gathered."""
    return Path(settings.VAR) / "uploading"
