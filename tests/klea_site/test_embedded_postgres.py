from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from klea_site import embedded_postgres, postgres_folder
from klea_site.embedded_postgres import EmbeddedPostgresError
from klea_site.unprivileged import SYSTEM_USER, NoAccountError, account_for


@pytest.fixture
def var(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "var"
    yield place
    with contextlib.suppress(EmbeddedPostgresError):
        embedded_postgres.stop(place)


def postmaster(var: Path) -> psutil.Process:
    return psutil.Process(int((var / "pgdata" / "postmaster.pid").read_text().splitlines()[0]))


def kill(process: psutil.Process) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(10)


def row(var: Path, statement: str) -> Any:
    with psycopg.connect(embedded_postgres.uri(var), autocommit=True) as connection:
        found = connection.execute(statement)
        return found.fetchone() if found.description else None


def test_the_server_starts_with_pgvector_and_stops(var: Path) -> None:
    embedded_postgres.start(var, durable=False)

    row(var, "CREATE EXTENSION vector")
    assert row(var, "SELECT '[1,2]'::halfvec(2) <-> '[1,2]', lower('ÄÖ')") == (0.0, "äö")
    embedded_postgres.stop(var)
    assert not embedded_postgres.is_running(var)


def test_a_server_that_runs_is_left_alone(var: Path) -> None:
    embedded_postgres.start(var, durable=False)
    first = postmaster(var).pid

    embedded_postgres.start(var)

    assert postmaster(var).pid == first


def test_what_was_committed_survives_the_kill_of_all_processes(var: Path) -> None:
    embedded_postgres.start(var)
    row(var, "CREATE TABLE kept (n int)")
    row(var, "INSERT INTO kept VALUES (7)")
    server = postmaster(var)
    family = [*server.children(recursive=True), server]
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    psutil.wait_procs(family, timeout=10)

    embedded_postgres.start(var)

    assert row(var, "SELECT n FROM kept") == (7,)


def test_a_start_waits_for_what_a_killed_server_left_behind(var: Path) -> None:
    embedded_postgres.start(var, durable=False)
    kill(postmaster(var))

    embedded_postgres.start(var, durable=False)

    assert row(var, "SELECT 1") == (1,)


def test_a_set_up_that_was_cut_short_is_done_again(var: Path) -> None:
    half = var / "pgdata.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")

    embedded_postgres.start(var, durable=False)

    assert row(var, "SELECT 1") == (1,)
    assert not half.exists()


def test_a_lock_file_with_the_number_of_another_program_is_stale(var: Path) -> None:
    embedded_postgres.start(var, durable=False)
    embedded_postgres.stop(var)
    (var / "pgdata" / "postmaster.pid").write_text(f"{os.getpid()}\n{var / 'pgdata'}\n1\n5432\n{var / 'pgdata'}\n\n1 1\nready\n")

    assert not embedded_postgres.is_running(var)
    embedded_postgres.start(var, durable=False)

    assert row(var, "SELECT 1") == (1,)


def test_a_deep_or_odd_folder_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("a folder, with a long name " * 3) / "var"
    try:
        embedded_postgres.start(deep, durable=False)

        assert row(deep, "SELECT 1") == (1,)
        socket = postgres_folder.socket_folder(deep.resolve() / "pgdata")
        assert socket.stat().st_mode & 0o077 == 0
    finally:
        embedded_postgres.stop(deep)


def test_data_of_another_version_is_refused(var: Path) -> None:
    (var / "pgdata").mkdir(parents=True)
    (var / "pgdata" / "PG_VERSION").write_text("16\n")

    with pytest.raises(EmbeddedPostgresError, match=r"written by PostgreSQL 16.*backup"):
        embedded_postgres.start(var)


def test_a_folder_that_holds_something_else_is_refused(var: Path) -> None:
    (var / "pgdata").mkdir(parents=True)
    (var / "pgdata" / "letter.txt").write_text("not a database")

    with pytest.raises(EmbeddedPostgresError, match=r"no database.*Move it away"):
        embedded_postgres.start(var)

    assert (var / "pgdata" / "letter.txt").exists()


def test_a_file_where_the_data_folder_should_be_is_refused(tmp_path: Path) -> None:
    taken = tmp_path / "var"
    taken.write_text("a file")

    with pytest.raises(EmbeddedPostgresError, match="can't be written"):
        embedded_postgres.start(taken)


def test_a_path_that_a_shell_would_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="Choose another folder"):
        embedded_postgres.start(tmp_path / "$HOME" / "var")


def test_a_folder_of_another_user_in_place_of_the_socket_s_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 30) / "var"
    socket = postgres_folder.socket_folder(deep.resolve() / "pgdata")
    socket.mkdir(mode=0o777)
    socket.chmod(0o777)
    try:
        with pytest.raises(EmbeddedPostgresError, match="belongs to another user"):
            embedded_postgres.start(deep, durable=False)
    finally:
        socket.rmdir()


@pytest.mark.skipif(os.geteuid() != 0 or not sys.platform.startswith("linux"), reason="only root can mount a small disk")
def test_a_full_disk_is_told_before_anything_is_written(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("a small disk can't be mounted in this container")
    try:
        with pytest.raises(EmbeddedPostgresError, match=r"The disk is full: .* Free some space"):
            embedded_postgres.start(disk / "var")
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as another user")
def test_root_runs_it_as_the_system_user_and_changes_no_permission_above(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    var = closed / "var"
    try:
        embedded_postgres.start(var, durable=False)

        assert postmaster(var).username() == SYSTEM_USER
        assert closed.stat().st_mode & 0o777 == 0o700
        assert row(var, "SELECT 1") == (1,)
    finally:
        embedded_postgres.stop(var)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user")
def test_without_a_way_through_a_closed_folder_root_is_told_what_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    tmp_path.chmod(0o700)

    with pytest.raises(NoAccountError, match="VAR=/srv/klea"):
        account_for(tmp_path / "pgdata", programs=postgres_folder.programs())


def test_the_last_of_two_users_stops_the_server(var: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from klea_site import embedded_postgres\n"
        "with embedded_postgres.running(Path(sys.argv[1]), durable=False): print('up', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen([sys.executable, "-c", code, str(var)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "up\n"
        with embedded_postgres.running(var, durable=False):
            pass
        up_while_the_other_lives = embedded_postgres.is_running(var)
        other.communicate()

    assert up_while_the_other_lives
    assert not embedded_postgres.is_running(var)
