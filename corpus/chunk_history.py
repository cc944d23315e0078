"""What a person did to chunks, so that it outlives a new conversion."""

from __future__ import annotations

from typing import Final

from corpus.models import ReviewEvent, SourceFile

EDITED: Final = "edit passage"


def texts_before_edits(source_file: SourceFile) -> dict[int, str]:
    """Return, by chunk, the text that the conversion gave before the first edit."""
    events = ReviewEvent.objects.filter(source_file=source_file, verb=EDITED).order_by("-at", "-pk")
    return {int(event.before["chunk"]): str(event.before["text"]) for event in events if "chunk" in event.before}
