"""What must be there before Klea serves: the tables, the static files, an administrator, the demo."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

FIRST_ADMINISTRATOR = "admin"
DEMO = "klea-handbook"
DEMO_WAIT_S = 90.0


def migrate(say: Callable[[str], None]) -> None:
    """Bring the tables up to date; it costs next to nothing when they are."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        say(f"preparing the database ({len(plan)} steps)")
        call_command("migrate", interactive=False, verbosity=0)


def collect_static(say: Callable[[str], None]) -> None:
    """Gather and compress the static files, if one of them changed since the last time."""
    found = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            source = Path(storage.path(path)).stat()
            found.update(f"{path} {source.st_size} {source.st_mtime_ns}\n".encode())
    stamp = settings.STATIC_ROOT / ".collected"
    if stamp.exists() and stamp.read_text(encoding="ascii") == found.hexdigest():
        return
    say("gathering the static files")
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(found.hexdigest(), encoding="ascii")


def administrator() -> User:
    """Return the first administrator, who is made without a password where there is none."""
    found = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    return found or User.objects.create_superuser(_free_name(), password=None)


def _free_name() -> str:
    taken = set(User.objects.filter(username__startswith=FIRST_ADMINISTRATOR).values_list("username", flat=True))
    return next(
        name
        for name in (FIRST_ADMINISTRATOR, *(f"{FIRST_ADMINISTRATOR}{n}" for n in range(2, len(taken) + 3)))
        if name not in taken
    )


def seed_demo(say: Callable[[str], None]) -> None:
    """Make the demo domain; a failure is told and stops nothing."""
    if "seed_demo" not in get_commands():
        return
    try:
        call_command("seed_demo", verbosity=0)
    except CommandError as error:
        say(f"the demo domain could not be made: {error}")


def wait_for_demo(say: Callable[[str], None], stop: threading.Event, *, seconds: float = DEMO_WAIT_S) -> None:
    """Wait until the demo's files are read, so that a newcomer's first question finds them.

    Args:
        say: told once, when there is something to wait for.
        stop: ends the wait.
        seconds: the longest wait; what isn't read by then goes on behind the page.
    """
    from corpus.ingestion import ACTIVE
    from corpus.models import SourceFile

    reading = SourceFile.objects.filter(collection__domain__slug=DEMO, state__in=ACTIVE)
    give_up = time.monotonic() + seconds
    if not stop.is_set() and reading.exists():
        say("reading the handbook, so that you can ask it (under a minute on a quiet machine)")
    while not stop.is_set() and time.monotonic() < give_up and reading.exists():
        stop.wait(0.5)


def free_interrupted_tasks() -> int:
    """Let tasks that a killed worker had taken be taken again now, not after the queue's retry time."""
    from django_q.models import OrmQ

    return int(OrmQ.objects.filter(lock__gt=timezone.now()).update(lock=timezone.now()))
