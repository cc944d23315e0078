"""PostgreSQL 18 with pgvector from a wheel, under the data folder: no server to install, no root needed.

The server listens on a unix socket only, which its owner alone can reach. It outlives the process that
started it, so a kill of everything else costs no data; whoever starts next finds it running.
"""

from __future__ import annotations

import contextlib
import fcntl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.parse import quote

import psutil

from klea_site.postgres_folder import (
    ROLE,
    EmbeddedPostgresError,
    initialise,
    is_new,
    make_socket_folder,
    not_ours,
    programs,
    remove_stale_locks,
    require_space,
    run,
    socket_folder,
)
from klea_site.postgres_settings import settings_text
from klea_site.unprivileged import Account, NoAccountError, account_for

__all__ = ["DATABASE", "EmbeddedPostgresError", "is_running", "programs", "running", "start", "stop", "uri"]

DATABASE = "klea"
_FIRST_START_MB, _LATER_START_MB = 300, 50
_START_TIMEOUT_S, _STOP_TIMEOUT_S, _LEFTOVERS_TIMEOUT_S = 300, 60, 20


def uri(var: Path) -> str:
    """Return the address of the database of a data folder, whether it runs or not."""
    return f"postgresql://{ROLE}@/{DATABASE}?host={quote(str(socket_folder(_data(var))), safe='')}"


def is_running(var: Path) -> bool:
    """Tell whether the server of this data folder is up."""
    return _postmaster(_data(var)) is not None


def start(var: Path, *, durable: bool = True) -> str:
    """Start the server unless it runs, after making its data folder where there is none.

    Args:
        var: the data folder of Klea; PostgreSQL's own is `var`/pgdata.
        durable: False for tests: quicker, and a crash of the machine may lose the data.

    Returns:
        The address of the database.

    Raises:
        EmbeddedPostgresError: it can't be started; the message says what to do.
    """
    with _locked(var):
        _start(_data(var), durable=durable)
    return uri(var)


def stop(var: Path) -> None:
    """Stop the server if it runs: open transactions are rolled back, all data is written."""
    if _data(var).is_dir():
        with _locked(var):
            _stop(_data(var))


@contextlib.contextmanager
def running(var: Path, *, durable: bool = True) -> Iterator[str]:
    """Keep the server up for a block; the last of several processes to leave stops it."""
    with _opened(var, "pgdata.users") as users:
        with _locked(var):
            fcntl.flock(users, fcntl.LOCK_SH)
            _start(_data(var), durable=durable)
        try:
            yield uri(var)
        finally:
            with _locked(var), contextlib.suppress(BlockingIOError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _stop(_data(var))


def _data(var: Path) -> Path:
    return var.resolve() / "pgdata"


@contextlib.contextmanager
def _locked(var: Path) -> Iterator[None]:
    """Let one process at a time start or stop the server. The kernel frees the lock of a process that dies."""
    with _opened(var, "pgdata.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _opened(var: Path, name: str) -> IO[str]:
    try:
        var.mkdir(mode=0o700, parents=True, exist_ok=True)
        return (var / name).open("w")
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data folder {var} can't be written ({error.strerror}). Choose another with VAR=…."
        ) from error


def _postmaster(data: Path) -> psutil.Process | None:
    """Return the server's main process; a number that now belongs to another program doesn't count."""
    try:
        process = psutil.Process(int((data / "postmaster.pid").read_text(encoding="ascii").split("\n", 1)[0]))
        alive = str(data) in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE
    except (FileNotFoundError, NotADirectoryError, ValueError, psutil.Error):
        return None
    except PermissionError as error:
        raise not_ours(data) from error
    return process if alive else None


def _account(data: Path) -> Account:
    try:
        return account_for(data, programs=programs())
    except NoAccountError as error:
        raise EmbeddedPostgresError(str(error)) from error


def _start(data: Path, *, durable: bool) -> None:
    if _postmaster(data) is not None:
        return
    account = _account(data)
    if is_new(data):
        require_space(data.parent, least_mb=_FIRST_START_MB)
        initialise(data, account, durable=durable)
    require_space(data.parent, least_mb=_LATER_START_MB)
    make_socket_folder(data, account)
    remove_stale_locks(data)
    _launch(data, account, durable=durable)
    _make_database(data)


def _launch(data: Path, account: Account, *, durable: bool) -> None:
    """Start the server; processes that a killed one left behind are given time to end."""
    held, log = data / "klea.conf", data / "start.log"
    held.write_text(settings_text(socket_folder(data), durable=durable), encoding="utf-8")
    account.give(held)
    command: list[str | Path] = [programs() / "pg_ctl", "-D", data, "-w", "-t", str(_START_TIMEOUT_S), "-l", log, "start"]
    give_up = time.monotonic() + _LEFTOVERS_TIMEOUT_S
    while True:
        log.unlink(missing_ok=True)
        try:
            run(account, command, _START_TIMEOUT_S + 10, what="The database did not start", log=log)
        except EmbeddedPostgresError as error:
            if "still in use" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.5)
        else:
            return


def _make_database(data: Path) -> None:
    import psycopg
    from psycopg import sql

    with psycopg.connect(host=str(socket_folder(data)), user=ROLE, dbname="postgres", autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _stop(data: Path) -> None:
    if (process := _postmaster(data)) is None:
        return
    account = _account(data)
    for mode in ("fast", "immediate"):
        command: list[str | Path] = [programs() / "pg_ctl", "-D", data, "-m", mode, "-w", "-t", str(_STOP_TIMEOUT_S), "stop"]
        account.run(command, timeout_s=_STOP_TIMEOUT_S + 10)
        if not process.is_running():
            return
