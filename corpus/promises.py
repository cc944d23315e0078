"""What a state promises, looked at row by row: find files that break a promise, and send them where it is kept again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q

from corpus import blobs, ingestion
from corpus.converted import is_kept
from corpus.core.page_gaps import UNREAD
from corpus.ingestion import pipeline
from corpus.models import Chunk, Outcome, SourceFile, StageAttempt, State
from corpus.models.source_file import SourceFileQuerySet
from corpus.stage import Partial, StageContext, StageError


@dataclass(frozen=True)
class Broken:
    """A promise that a file breaks.

    Attributes:
        source_file_id, path: which file.
        what: in words.
        since: the first stage to run again; empty: nothing here can mend it.
    """

    source_file_id: int
    path: str
    what: str
    since: str


def broken_promises(files: SourceFileQuerySet, *, probe: bool = False) -> Iterator[Broken]:
    """Find the files that break a promise.

    Args:
        files: which to look at.
        probe: also ask the stores for every READY file, as the last stage does; takes longer.
    """
    yield from _ready_without_text(files)
    yield from _without_bytes(files)
    yield from _left_running(files)
    yield from _removed_but_there()
    if probe:
        yield from _not_found(files)


def mend(found: Iterator[Broken]) -> dict[str, int]:
    """Send files through the stages again that keep their promise; how many by stage."""
    stages: dict[str, set[int]] = {}
    for broken in found:
        if broken.since:
            stages.setdefault(broken.since, set()).add(broken.source_file_id)
    return {since: ingestion.redo(SourceFile.objects.filter(pk__in=ids), since=since) for since, ids in stages.items()}


def _ready_without_text(files: SourceFileQuerySet) -> Iterator[Broken]:
    ready = files.filter(state=State.READY).annotate(passages=Count("chunks", filter=Q(chunks__enabled=True)))
    for file in ready.iterator(chunk_size=500):
        if not file.passages:
            yield Broken(
                file.pk, file.path, "READY, but it has no passage.", "chunk" if is_kept(file.conversion_key) else "convert"
            )
        unread = [page["number"] for page in file.pages if page.get("kind") in UNREAD]
        if unread:
            yield Broken(file.pk, file.path, f"READY, but {len(unread)} of its pages have no text.", "convert")


def _without_bytes(files: SourceFileQuerySet) -> Iterator[Broken]:
    for file in files.held().iterator(chunk_size=500):
        if not blobs.exists(blobs.place_of(file.content_hash)):
            yield Broken(file.pk, file.path, "Its bytes are missing. Upload it again or restore the last backup.", "")


def _left_running(files: SourceFileQuerySet) -> Iterator[Broken]:
    """A running attempt of a file that nobody holds: the next pass marks it."""
    left = StageAttempt.objects.filter(source_file__in=files, outcome=Outcome.RUNNING).exclude(
        source_file__state__in=ingestion.ACTIVE
    )
    for attempt in left.select_related("source_file"):
        yield Broken(attempt.source_file_id, attempt.source_file.path, f"Stage {attempt.stage} is said to run.", attempt.stage)


def _removed_but_there() -> Iterator[Broken]:
    left = Chunk.objects.filter(source_file__state=State.REMOVED).values("source_file", "source_file__path").distinct()
    for row in left:
        yield Broken(row["source_file"], row["source_file__path"], "Removed, but its passages are still there.", "")


def _not_found(files: SourceFileQuerySet) -> Iterator[Broken]:
    last = pipeline.stages()[-1]
    context = StageContext(lambda: None, lambda pages: None)
    for file in files.filter(state=State.READY).select_related("collection__domain").iterator(chunk_size=200):
        try:
            last.run(file, context)
        except (Partial, StageError) as error:
            yield Broken(file.pk, file.path, f"READY, but {error.cause}", "embed")
