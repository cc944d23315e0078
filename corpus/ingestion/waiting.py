"""Which files wait for a worker, and how one is woken."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from corpus.models import SourceFile, State
from corpus.models.source_file import SourceFileQuerySet

ACTIVE: Final = (State.QUEUED, State.CONVERTING, State.INDEXING)
FREE: Final = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())


def pending() -> SourceFileQuerySet:
    """Return the files that a worker may take now; the clock is the database's."""
    return SourceFile.objects.filter(FREE, state__in=ACTIVE)


def wake(*, times: int = 1) -> None:
    """Wake workers when the present transaction is committed; more often than needed does no harm."""
    transaction.on_commit(lambda: _wake(times))


def _wake(times: int) -> None:
    from django_q.tasks import async_task

    for _ in range(times):
        async_task("corpus.tasks.work", group="ingestion")
