"""What a person or another verb asks of files that are held: retry, cancel, do again, go on."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from corpus.ingestion import attempts, pipeline
from corpus.ingestion.permission import changeable, type_of_actor, write_events
from corpus.ingestion.sealing import seal
from corpus.ingestion.waiting import ACTIVE, FREE, wake
from corpus.models import SourceFile, State
from corpus.models.source_file import SourceFileQuerySet

WAITING: Final = (State.NEEDS_REVIEW, State.NEEDS_OCR, State.PASSWORD_NEEDED)


def retry(files: SourceFileQuerySet, *, by: type_of_actor = None, password: str = "", ocr: str = "") -> int:
    """Try again what failed, waits, was cancelled or is incomplete; files that are done or being worked on stay as they are.

    Args:
        files: which.
        by: who asks; None: the operator.
        password: opens protected files; kept encrypted until the conversion has ended.
        ocr: which pages are read by OCR from now on (auto, always, never); empty: no change. With it, READY files go again too.

    Returns:
        How many files are tried again.
    """
    changes: dict[str, Any] = {"ocr": ocr} if ocr else {}
    if password:
        changes["sealed"] = seal(password)
    wanted = changeable(files, by).exclude(state__in=[State.CONVERTING, State.INDEXING])
    if not ocr:
        wanted = wanted.exclude(state=State.READY)
    with transaction.atomic():
        ids = _locked(wanted.filter(lease_holder=""))
        attempts.start_afresh(ids)
        queue(ids, **changes)
        write_events(ids, "retry", by)
        return len(ids)


def cancel(files: SourceFileQuerySet, *, by: type_of_actor = None) -> int:
    """Stop the work on files. What was done stays; retry goes on from there.

    Returns:
        How many files are or will be cancelled; files on which nothing is going on don't count.
    """
    allowed = changeable(files, by).filter(state__in=[*ACTIVE, *WAITING])
    with transaction.atomic():
        ids = _locked(allowed)
        write_events(ids, "cancel", by)
        chosen = SourceFile.objects.filter(pk__in=ids)
        told = {"cancelled": True, "cause": "Cancelled by a person.", "advice": "Retry takes it up again."}
        idle = chosen.filter(FREE | Q(lease_holder=""))
        idle.update(state=State.CANCELLED, state_detail=told, lease_holder="", lease_until=None, sealed="", updated=Now())
        chosen.filter(state__in=ACTIVE).update(cancel_requested=True)
        return len(ids)


def redo(files: SourceFileQuerySet, *, by: type_of_actor = None, since: str = "") -> int:
    """Run the stages of files again, whatever was done.

    Args:
        files: which.
        by: who asks; None: the operator.
        since: the first stage to run again; empty: all.

    Raises:
        ValueError: there is no such stage.
    """
    names = [stage.name for stage in pipeline.stages()]
    if since and since not in names:
        raise ValueError(f"There is no stage '{since}'. Stages: {', '.join(names)}.")
    again = names[names.index(since) :] if since else names
    with transaction.atomic():
        ids = _locked(changeable(files, by))
        attempts.forget_done(ids, again)
        attempts.start_afresh(ids)
        queue(ids)
        write_events(ids, "redo", by)
        return len(ids)


def go_on(source_file_id: int) -> None:
    """Let a file follow a decision on its metadata: one that waited for it goes on, one that is done is labelled anew."""
    with transaction.atomic():
        row = SourceFile.objects.select_for_update().filter(pk=source_file_id).first()
        if row is None:
            return
        if row.state == State.NEEDS_REVIEW:
            queue([row.pk])
        elif row.state in {State.READY, State.PARTIAL, State.INDEXING}:
            SourceFile.objects.filter(pk=row.pk).update(state=State.INDEXING, lease_holder="", lease_until=None)
            wake()


def _locked(files: SourceFileQuerySet) -> list[int]:
    return list(files.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))


def queue(ids: list[int], **changes: Any) -> None:
    """Queue files as they are, and wake workers."""
    SourceFile.objects.filter(pk__in=ids).update(
        state=State.QUEUED, state_detail={}, cancel_requested=False, lease_holder="", lease_until=None, updated=Now(), **changes
    )
    if ids:
        wake(times=min(len(ids), settings.WORKERS))
