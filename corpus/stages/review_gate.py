from __future__ import annotations

from typing import Any, Final

from corpus.core.metadata_map import DEFAULT
from corpus.models import MetadataEntry, SourceFile, State
from corpus.stage import Halt, StageContext


class ReviewGate:
    """Wait until a curator has accepted the metadata, if the collection asks for it.

    Reads: the review state of the file's entry.
    """

    name: Final = "review_gate"
    version: Final = 1
    shows: Final = State.CONVERTING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Whether the collection asks for a review."""
        return {"review_required": source_file.collection.review_required}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Pass or wait."""
        if not source_file.collection.review_required:
            return {"review": "not asked for"}
        context.heartbeat()
        entry = MetadataEntry.objects.filter(source_file=source_file, heading=DEFAULT).first()
        if entry is not None and entry.review == MetadataEntry.Review.ACCEPTED:
            return {"review": "accepted"}
        raise Halt(State.NEEDS_REVIEW, "The metadata waits for a curator.", "Look at it in the review queue and accept it.")
