"""A worker's hold on a file: taken, renewed and judged by the database's clock, so that clocks of machines don't matter."""

from __future__ import annotations

import contextlib
import os
import socket
import time
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Final

import psutil
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models.functions import Now

from corpus.ingestion.waiting import ACTIVE, FREE, pending
from corpus.models import SourceFile
from corpus.models.source_file import SourceFileQuerySet
from corpus.stage import Cancelled

LOOK_EVERY_S: Final = 1.0
RELEASE_TRIES: Final = 5


class LeaseLost(Exception):  # noqa: N818 -- an outcome, not an error
    """Somebody else has the file now, or it was replaced or removed; nothing more is written about it."""


@dataclass
class Lease:
    """The hold of one run on one file."""

    source_file_id: int
    holder: str
    _looked: float = field(default_factory=time.monotonic)
    _renewed: float = field(default_factory=time.monotonic)

    def heartbeat(self) -> None:
        """Renew the hold when it is due. Cheap to call often.

        Raises:
            LeaseLost: the file isn't ours any more.
            Cancelled: a person cancelled.
        """
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY_S:
            return
        self._looked = now
        self.check()
        if now - self._renewed > settings.LEASE_SECONDS / 3:
            self._ours().update(lease_until=Now() + timedelta(seconds=settings.LEASE_SECONDS))
            self._renewed = now

    def check(self) -> None:
        """Look at once whether the file is still ours and wanted.

        Raises:
            LeaseLost: the file isn't ours any more.
            Cancelled: a person cancelled.
        """
        cancelled = self._ours().values_list("cancel_requested", flat=True).first()
        if cancelled is None:
            raise LeaseLost
        if cancelled:
            raise Cancelled

    def lock(self) -> SourceFile:
        """Lock the file's row until the transaction ends.

        Raises:
            LeaseLost: the file isn't ours any more.
        """
        row: SourceFile | None = self._ours().select_for_update(of=("self",)).first()
        if row is None:
            raise LeaseLost
        return row

    def release(self) -> None:
        """Give the file back; a database that was just restarted gets some seconds."""
        for attempt in range(RELEASE_TRIES):
            try:
                self._ours().update(lease_holder="", lease_until=None)
                return
            except (OperationalError, InterfaceError):
                if connection.in_atomic_block:
                    return
                connection.close()
                time.sleep(attempt)

    def _ours(self) -> SourceFileQuerySet:
        return SourceFile.objects.filter(pk=self.source_file_id, lease_holder=self.holder)


def take(source_file_id: int) -> Lease | None:
    """Take the lease of one file if it is wanted and free."""
    holder = _holder()
    wanted = SourceFile.objects.filter(FREE, pk=source_file_id, state__in=ACTIVE)
    taken = wanted.update(lease_holder=holder, lease_until=Now() + timedelta(seconds=settings.LEASE_SECONDS))
    return Lease(source_file_id, holder) if taken else None


def take_next(scope: SourceFileQuerySet | None = None) -> Lease | None:
    """Take the lease of the file that has waited longest; several workers never meet.

    Args:
        scope: only files of this queryset; None: any file.
    """
    waiting = pending() if scope is None else pending().filter(pk__in=scope.values("pk"))
    with transaction.atomic():
        found = waiting.select_for_update(skip_locked=True, of=("self",)).order_by("pk").values_list("pk", flat=True).first()
        return None if found is None else take(found)


def free_dead() -> int:
    """End the leases of processes of this machine that are gone, so that nobody waits for them."""
    freed = 0
    mine = f"{_machine()}|"
    for held in SourceFile.objects.filter(lease_holder__startswith=mine).values("pk", "lease_holder"):
        if not _lives(held["lease_holder"]):
            freed += SourceFile.objects.filter(**held).update(lease_holder="", lease_until=None)
    return freed


def _holder() -> str:
    return f"{_machine()}|{os.getpid()}|{_started(os.getpid())}|{uuid.uuid4().hex[:12]}"


def _lives(holder: str) -> bool:
    _, pid, started, _ = holder.split("|")
    try:
        return abs(_started(int(pid)) - int(started)) <= 2  # noqa: PLR2004 -- seconds; the boot time is rounded
    except psutil.NoSuchProcess:
        return False


def _started(pid: int) -> int:
    return int(psutil.Process(pid).create_time())


@cache
def _machine() -> str:
    """Name this machine and its space of process ids: the same pid means the same process only within it."""
    names = [socket.gethostname()[:30]]
    with contextlib.suppress(OSError):
        names.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8])
        names.append(Path("/proc/self/ns/pid").readlink().name.removeprefix("pid:").strip("[]"))
    return "~".join(names).replace("|", "-")
