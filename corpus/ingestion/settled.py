"""Which files of a collection have to go through the stages again because something in their settings changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import QuerySet

from corpus.ingestion import pipeline
from corpus.ingestion.attempts import DONE
from corpus.ingestion.control import queue
from corpus.ingestion.waiting import ACTIVE
from corpus.models import Collection, Outcome, SourceFile, StageAttempt, State
from corpus.stage import Prepares, Stage

TRIED = (*DONE, Outcome.FAILED, Outcome.HALTED)


def queue_unsettled(collection: Collection) -> int:
    """Queue the files of a collection whose stages, versions or settings are others than those of their last attempts.

    Returns:
        How many were queued. Files that failed or wait under the present settings are not: `retry` is for them.
    """
    files = SourceFile.objects.held().filter(collection=collection).exclude(state__in=[*ACTIVE, State.CANCELLED])
    last = _last_attempts(collection)
    chosen = pipeline.stages()
    for stage in chosen:
        if isinstance(stage, Prepares):
            stage.prepare(collection)
    ids = [file.pk for file in _with_collection(files, collection) if not _is_settled(file, chosen, last[file.pk])]
    queue(ids)
    return len(ids)


def _is_settled(file: SourceFile, chosen: Sequence[Stage], last: dict[str, StageAttempt]) -> bool:
    """Tell whether the file came as far as it can: every stage done, or the one where it stopped tried with the present key."""
    for step in pipeline.steps_of(file, chosen):
        attempt = last.get(step.stage.name)
        if attempt is None or attempt.key != step.key:
            return False
        if attempt.outcome not in DONE:
            return True
    return True


def _last_attempts(collection: Collection) -> dict[int, dict[str, StageAttempt]]:
    rows = StageAttempt.objects.filter(source_file__collection=collection, outcome__in=TRIED)
    found: dict[int, dict[str, StageAttempt]] = defaultdict(dict)
    for row in rows.order_by("source_file_id", "stage", "-started", "-pk").distinct("source_file_id", "stage"):
        found[row.source_file_id][row.stage] = row
    return found


def _with_collection(files: QuerySet[SourceFile], collection: Collection) -> list[SourceFile]:
    rows = list(files)
    for row in rows:
        row.collection = collection
    return rows
