"""The report on stored passages, for the command, the admin and the API alike."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from corpus.core.linting.store_report import StoredChunk, StoreReport, lint_store, sample_windows
from corpus.models import Chunk
from corpus.models.source_file import SourceFileQuerySet

MOST_WINDOWS = 20


@dataclass(frozen=True)
class PassageCheck:
    """What the five rules say of the passages of some files, and samples of neighbouring ones at evenly spaced places."""

    report: StoreReport
    windows: list[list[StoredChunk]]

    def as_text(self) -> str:
        """Return it for people."""
        return self.report.as_text(self.windows)

    def as_dict(self) -> dict[str, Any]:
        """Return it in a form for JSON."""
        samples = [[{"text": chunk.text, **chunk.metadata} for chunk in window] for window in self.windows]
        return dataclasses.asdict(self.report) | {"clean": self.report.is_clean, "samples": samples}


def check_passages(files: SourceFileQuerySet, *, samples: int = 3) -> PassageCheck:
    """Run the rules on the passages of files, in the order of paths and places; `samples` windows are shown, 0 for none."""
    rows = Chunk.objects.filter(source_file__in=files).order_by("source_file__path", "ordinal")
    chunks = [StoredChunk(row.text, {**row.metadata, "headings": row.headings}) for row in rows.iterator(chunk_size=2_000)]
    places = sample_windows(len(chunks), min(max(0, samples), MOST_WINDOWS))
    return PassageCheck(lint_store(chunks), [[chunks[place] for place in window] for window in places])
