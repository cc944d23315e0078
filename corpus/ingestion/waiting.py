"""Which files wait for a worker, and how one is woken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.conf import settings
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


_gathered: ContextVar[list[int] | None] = ContextVar("gathered", default=None)


@contextmanager
def one_wake_up() -> Iterator[None]:
    """Gather the wake-ups of many files into few, at the end."""
    gathered: list[int] = []
    token = _gathered.set(gathered)
    try:
        yield
    finally:
        _gathered.reset(token)
        if gathered:
            wake(times=min(sum(gathered), settings.WORKERS))


def wake(*, times: int = 1) -> None:
    """Wake workers when the present transaction is committed; more often than needed does no harm."""
    transaction.on_commit(lambda: _wake(times))


def _wake(times: int) -> None:
    from django_q.tasks import async_task

    if (gathered := _gathered.get()) is not None:
        gathered.append(times)
        return
    for _ in range(times):
        async_task("corpus.tasks.work", group="ingestion")
