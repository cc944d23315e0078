"""Do the work on some files here and now, in this process, and tell of each file that is done."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import TextIO

from django.db import connection

from corpus import ingestion
from corpus.converting import close_here
from corpus.ingestion import lease
from corpus.models import Chunk, SourceFile, State
from corpus.models.source_file import SourceFileQuerySet

FOREVER_S = 10 * 365 * 86_400.0
LOOK_EVERY_S = 0.5


class Teller:
    """Tells of each file once, when it has left the queue."""

    def __init__(self, files: SourceFileQuerySet, out: TextIO) -> None:
        self.files = files
        self.out = out
        self.waiting: set[int] = set(files.filter(state__in=ingestion.ACTIVE).values_list("pk", flat=True))
        self.total = len(self.waiting)
        self.began = time.monotonic()

    def tell(self) -> bool:
        """Write a line for each file that is done since the last call; False, so that it can be asked as `stop`."""
        done = self.files.filter(pk__in=self.waiting).exclude(state__in=ingestion.ACTIVE)
        for file in done.order_by("path"):
            self.waiting.discard(file.pk)
            self.out.write(f"[{self.total - len(self.waiting)}/{self.total}] {line_of(file)}")
        return False


def work_on(files: SourceFileQuerySet, *, workers: int, out: TextIO) -> None:
    """Take the waiting files of a queryset through their stages until none waits.

    Args:
        files: which.
        workers: how many side by side; each has its own conversion process.
        out: where progress is written.
    """
    lease.free_dead()
    teller = Teller(files, out)
    if not teller.total:
        return
    if workers == 1:
        _until_none_waits(lambda: ingestion.drain(scope=files, seconds=FOREVER_S, stop=teller.tell), files, teller)
        return
    stopped = threading.Event()
    threads = [threading.Thread(target=_worker, args=(files, stopped), daemon=True) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(LOOK_EVERY_S)
            teller.tell()
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
        teller.tell()


def line_of(file: SourceFile) -> str:
    """Return a file's state in a line, with what to do where something is to be done."""
    state = State(file.state).label.upper()
    if file.state in {State.READY, State.PARTIAL}:
        state += f", {Chunk.objects.filter(source_file=file).count()} passages"
    if cause := file.state_detail.get("cause"):
        state += f": {cause} {file.state_detail.get('advice', '')}".rstrip()
    return f"{file.path}: {state}"


def summary_of(files: SourceFileQuerySet) -> str:
    """Return the number of files by state."""
    counts = Counter(files.order_by().values_list("state", flat=True))
    return ", ".join(f"{counts[state]} {state.label.lower()}" for state in State if counts[state]) or "no files"


def _worker(files: SourceFileQuerySet, stopped: threading.Event) -> None:
    try:
        _until_none_waits(
            lambda: ingestion.drain(scope=files, seconds=FOREVER_S, stop=stopped.is_set), files, None, stopped.is_set
        )
    finally:
        close_here()
        connection.close()


def _until_none_waits(
    work: Callable[[], int], files: SourceFileQuerySet, teller: Teller | None, stop: Callable[[], bool] = lambda: False
) -> None:
    """Work, and wait for files that others have or that are put off, until nothing is waiting."""
    while True:
        work()
        if teller:
            teller.tell()
        if stop() or not files.filter(state__in=ingestion.ACTIVE).exists():
            return
        time.sleep(LOOK_EVERY_S)
