"""The database for the time of one command, whether Klea runs or not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from django.conf import settings

from klea_site import embedded_postgres
from klea_site.embedded_postgres import EmbeddedPostgresError
from klea_site.external_database import require_database

# Commands that need no database, or see to it themselves.
_ALONE: Final = frozenset(
    {"up", "backup", "restore", "doctor", "qcluster", "check", "help", "version", "makemigrations", "collectstatic"}
    | {"findstatic", "diffsettings", "compilemessages", "makemessages", "startapp", "startproject", "testserver", "test"}
)


@contextlib.contextmanager
def database_session() -> Iterator[str]:
    """Yield the database's address; the embedded server runs at least as long as the block.

    Raises:
        StartError: a database of the operator's does not answer.
        EmbeddedPostgresError: the embedded one can't be started.
    """
    if settings.DATABASE_URL:
        require_database(settings.DATABASE_URL)
        yield settings.DATABASE_URL
        return
    with embedded_postgres.running(settings.VAR) as address:
        yield address


@contextlib.contextmanager
def database_for(command: str) -> Iterator[None]:
    """Start the embedded server for a command of manage.py that needs it, if Klea does not run.

    Raises:
        EmbeddedPostgresError: it can't be started, or there is no data yet.
    """
    if command in _ALONE or command.startswith("-") or not command or settings.DATABASE_URL:
        yield
        return
    if command != "migrate" and not (settings.VAR / "pgdata").exists():
        raise EmbeddedPostgresError(f"There is no data in {settings.VAR} yet. Start Klea first: make run.")
    with embedded_postgres.running(settings.VAR):
        yield
