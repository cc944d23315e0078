from __future__ import annotations

from typing import Any, Final

from corpus import archive, blobs
from corpus.core.media_type import HEAD_BYTES, Refused, kind_by_bytes
from corpus.models import SourceFile, State
from corpus.stage import StageContext, StageError


class Fingerprint:
    """Check that the held bytes are those that were taken in, and find from them what the file is.

    Reads: the held bytes. Writes: media_type. Tells of files of the same bytes, which share one conversion.
    """

    name: Final = "fingerprint"
    version: Final = 1
    shows: Final = State.CONVERTING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """The name takes part in the decision what a text is."""
        return {"name": source_file.name}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Hash and look."""
        try:
            with blobs.local_copy(source_file.content_hash) as path:
                if blobs.hash_of(path) != source_file.content_hash:
                    raise StageError("The held bytes have changed since they were taken in.", advice=blobs.BytesMissing.advice)
                context.heartbeat()
                with path.open("rb") as file:
                    head = file.read(HEAD_BYTES)
                members: tuple[str, ...] = ()
                if head.startswith(b"PK\x03\x04"):
                    archive.check(path)
                    members = blobs.names_in_archive(path)
            kind = kind_by_bytes(head, source_file.name, members=members)
        except Refused as error:
            raise StageError(error.cause, advice=error.advice, detail={"code": error.code}) from error
        except blobs.BytesMissing as error:
            raise StageError(str(error), advice=error.advice) from error
        if kind.media_type != source_file.media_type:
            source_file.media_type = kind.media_type
            source_file.save(update_fields=["media_type"])
        return {"media_type": kind.media_type, "size": source_file.size, "same_bytes": _same_bytes(source_file)}


def _same_bytes(source_file: SourceFile) -> list[str]:
    others = SourceFile.objects.held().filter(collection=source_file.collection, content_hash=source_file.content_hash)
    return list(others.exclude(pk=source_file.pk).values_list("path", flat=True)[:20])
