"""Give back this process's connections to the database, the pool included."""

from __future__ import annotations

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper


def close_connections() -> None:
    """Close all connections, so that a server can be stopped or a long watch holds none."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if isinstance(connection, DatabaseWrapper):
            connection.close_pool()
