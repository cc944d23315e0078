from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from corpus.models import Collection, Domain, SourceFile
from klea_site import first_start
from klea_site.external_database import require_database
from klea_site.instance import StartError
from klea_site.postgres_folder import programs
from klea_site.unprivileged import account_for

OLD_SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def address(database: str = "postgres", role: str = "klea") -> str:
    base = settings.DATABASES["default"]
    return f"postgresql://{role}@/{database}?host={base['HOST'].replace('/', '%2F')}"


@pytest.mark.django_db
def test_the_first_administrator_is_made_once_and_has_no_password() -> None:
    first, again = first_start.administrator(), first_start.administrator()

    assert first == again
    assert (first.username, first.is_superuser, first.has_usable_password()) == ("admin", True, False)


@pytest.mark.django_db
def test_an_administrator_who_is_there_is_taken() -> None:
    mia = User.objects.create_superuser("mia", password="a long secret")

    assert first_start.administrator() == mia


@pytest.mark.django_db
def test_a_closed_or_ordinary_admin_is_not_taken_over() -> None:
    User.objects.create_user("admin")
    User.objects.create_superuser("admin2", is_active=False)

    assert first_start.administrator().username == "admin3"


@pytest.mark.django_db
def test_tables_that_are_up_to_date_cost_no_migration() -> None:
    said: list[str] = []

    first_start.migrate(said.append)

    assert said == []


@pytest.mark.django_db
def test_tasks_that_a_killed_worker_had_taken_are_free_again() -> None:
    from django_q.models import OrmQ

    taken = OrmQ.objects.create(key="klea", payload="x", lock=timezone.now() + timedelta(hours=6))
    waiting = OrmQ.objects.create(key="klea", payload="y", lock=timezone.now() - timedelta(hours=1))

    assert first_start.free_interrupted_tasks() == 1

    taken.refresh_from_db()
    assert waiting.lock < taken.lock <= timezone.now()


def test_static_files_are_gathered_again_only_when_one_has_changed(tmp_path: Path, settings: object) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a{}")
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], tmp_path / "static"  # type: ignore[attr-defined]
    said: list[str] = []

    first_start.collect_static(said.append)
    first_start.collect_static(said.append)
    (source / "a.css").write_text("a{color:red}")
    first_start.collect_static(said.append)

    assert len(said) == 2
    assert (tmp_path / "static" / "a.css").read_text() == "a{color:red}"


@pytest.mark.django_db
def test_a_server_with_pgvector_will_do() -> None:
    assert require_database(address()).startswith("PostgreSQL 18 with pgvector 0.8")


@pytest.mark.parametrize("url", ["postgresql://127.0.0.1:1/klea", "postgresql://no.such.host.invalid/klea"])
def test_a_server_that_does_not_answer_is_told(url: str) -> None:
    with pytest.raises(StartError, match=r"does not answer: .*without DATABASE_URL Klea brings its own"):
        require_database(url)


@pytest.fixture
def own_database(django_db_setup: None) -> Iterator[str]:
    name = f"test_klea_extra_{os.getpid()}"
    with psycopg.connect(address(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'")
        connection.execute(f"CREATE ROLE {name} LOGIN")
        yield name
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        connection.execute(f"DROP ROLE {name}")


def test_a_database_in_another_encoding_is_refused(own_database: str) -> None:
    with pytest.raises(StartError, match=r"encoded in LATIN1.*createdb --encoding=UTF8"):
        require_database(address(own_database))


@pytest.mark.skipif(not OLD_SERVERS, reason="no PostgreSQL of the system is installed to be refused")
def test_a_server_without_pgvector_is_refused(tmp_path: Path) -> None:
    folder, data = OLD_SERVERS[0].parent, tmp_path / "data"
    if (folder.parent.parent.parent / "share").exists() and list(folder.parent.rglob("vector.control")):
        pytest.skip("the PostgreSQL of the system has pgvector")
    data.mkdir()
    account = account_for(data, programs=programs())
    account.give(data)
    assert (
        account.run([folder / "initdb", "-D", data, "-U", "klea", "-A", "trust", "-E", "UTF8", "-N"], timeout_s=60).returncode
        == 0
    )
    start = [folder / "pg_ctl", "-D", data, "-w", "-l", data / "log", "-o", f"-c listen_addresses='' -k {data}", "start"]
    assert account.run(start, timeout_s=60).returncode == 0
    try:
        with pytest.raises(StartError, match=r"no pgvector. Install 0.8"):
            require_database(f"postgresql://klea@/postgres?host={str(data).replace('/', '%2F')}")
    finally:
        account.run([folder / "pg_ctl", "-D", data, "-m", "immediate", "stop"], timeout_s=60)


def demo_file(state: str) -> SourceFile:
    domain = Domain.objects.create(name="Klea handbook", slug=first_start.DEMO)
    collection = Collection.objects.create(domain=domain, name="Handbook", slug="handbook")
    return SourceFile.objects.create(collection=collection, path="a.md", content_hash="0" * 64, size=1, state=state)


@pytest.mark.django_db
def test_a_later_start_waits_for_nothing() -> None:
    demo_file("ready")
    said: list[str] = []

    first_start.wait_for_demo(said.append, threading.Event())

    assert said == []


@pytest.mark.django_db
def test_the_first_start_waits_for_the_handbook_but_not_for_ever() -> None:
    demo_file("queued")
    said: list[str] = []
    began = time.monotonic()

    first_start.wait_for_demo(said.append, threading.Event(), seconds=0.6)

    assert 0.5 < time.monotonic() - began < 5
    assert "handbook" in said[0]


@pytest.mark.django_db
def test_a_stop_ends_the_wait() -> None:
    demo_file("queued")
    stop = threading.Event()
    stop.set()
    began = time.monotonic()

    first_start.wait_for_demo(lambda _text: None, stop)

    assert time.monotonic() - began < 2


@pytest.mark.django_db
def test_the_demo_that_is_waited_for_is_the_one_that_is_made() -> None:
    from corpus.management.commands.seed_demo import SLUG

    assert SLUG == first_start.DEMO
