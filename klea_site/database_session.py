"""The database for the time of one command, whether Klea runs or not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from django.conf import settings

from klea_site import embedded_postgres
from klea_site.external_database import require_database


@contextlib.contextmanager
def database_session() -> Iterator[str]:
    """Yield the database's address; the embedded server is started if it is down, and stopped again after that.

    Raises:
        StartError: a database of the operator's does not answer.
        EmbeddedPostgresError: the embedded one can't be started.
    """
    if settings.DATABASE_URL:
        require_database(settings.DATABASE_URL)
        yield settings.DATABASE_URL
        return
    was_up = embedded_postgres.is_running(settings.VAR)
    address = embedded_postgres.start(settings.VAR)
    try:
        yield address
    finally:
        if not was_up:
            embedded_postgres.stop(settings.VAR)
