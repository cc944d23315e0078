"""Whether a PostgreSQL server that the operator brings by DATABASE_URL can serve Klea."""

from __future__ import annotations

import psycopg

from klea_site.instance import StartError

LEAST_SERVER, LEAST_PGVECTOR = 15, (0, 8)
_CONNECT_TIMEOUT_S = 10


def require_database(url: str) -> str:
    """Check the server and make the extension; return its versions for a person.

    Raises:
        StartError: it does not answer, is too old, or lacks pgvector; the message says what to do.
    """
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_TIMEOUT_S) as connection:
            server = connection.info.server_version // 10_000
            if server < LEAST_SERVER:
                raise StartError(f"DATABASE_URL leads to PostgreSQL {server}; Klea needs {LEAST_SERVER} or newer.")
            _require_utf8(connection)
            return f"PostgreSQL {server} with pgvector {_require_pgvector(connection)}"
    except psycopg.OperationalError as error:
        raise StartError(
            f"The database of DATABASE_URL does not answer: {first_line(error)}. Start it or correct the address; "
            "without DATABASE_URL Klea brings its own."
        ) from error


def first_line(error: Exception) -> str:
    """Return the first line of what a library says, which names the cause."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def _require_utf8(connection: psycopg.Connection) -> None:
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StartError(f"The database of DATABASE_URL is encoded in {encoding}. Make one with: createdb --encoding=UTF8.")


def _require_pgvector(connection: psycopg.Connection) -> str:
    found = connection.execute(
        "SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    if found is None:
        raise StartError(
            "The server of DATABASE_URL has no pgvector. Install 0.8 or newer on it (package postgresql-NN-pgvector)."
        )
    installed, offered = found
    version = str(installed or offered)
    if tuple(int(part) for part in version.split(".")[:2]) < LEAST_PGVECTOR:
        raise StartError(
            f"The database of DATABASE_URL has pgvector {version}; Klea needs 0.8 or newer. Install it on the server, "
            "then run there: ALTER EXTENSION vector UPDATE."
        )
    if installed is None:
        try:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.errors.InsufficientPrivilege as error:
            raise StartError(
                f"The role {connection.info.user} may not make the extension pgvector. Let an administrator run in "
                f"the database {connection.info.dbname}: CREATE EXTENSION vector."
            ) from error
    return version
