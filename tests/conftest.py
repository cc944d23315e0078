"""What every test may use: the database server, the shared data, people in two domains."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = Path(os.environ.get("KLEA_SHARED_DATA", ROOT.parent / "shared" / "data"))

pytest_plugins = ["tests.people", "tests.scan", "tests.cases.option"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Keep the database server up; the last of several test runs to end stops it."""
    from django.conf import settings

    from klea_site import embedded_postgres

    if settings.DATABASE_URL:
        yield
        return
    with embedded_postgres.running(settings.VAR, durable=False) as address:
        _drop_left_databases(address)
        yield


def _drop_left_databases(address: str) -> None:
    """Drop the databases of test runs that were killed; a run names its database for its process."""
    with psycopg.connect(address, autocommit=True) as connection:
        names = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'test_klea_%'").fetchall()
        for (name,) in names:
            if not psutil.pid_exists(int(name.rsplit("_", 1)[1])):
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return a finder of data sets that nobody here wrote; a test that needs an absent one is skipped."""

    def find(name: str) -> Path:
        found = SHARED_DATA / name
        if not found.exists():
            pytest.skip(f"the data set {name} is not in {SHARED_DATA} (set KLEA_SHARED_DATA to its folder)")
        return found

    return find


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, settings: object) -> None:
    """Give each test its own folder for held files and indexes."""
    from corpus import backend

    settings.MEDIA_ROOT = tmp_path / "files"  # type: ignore[attr-defined]
    stores = settings.KEYWORD_STORES  # type: ignore[attr-defined]
    at_home = {**stores["tantivy"], "OPTIONS": {"folder": str(tmp_path / "keywords")}}
    settings.KEYWORD_STORES = {**stores, "tantivy": at_home}  # type: ignore[attr-defined]
    backend.forget()
