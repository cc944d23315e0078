"""Read a backup into an empty data folder and an empty database; all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO, Any

import psycopg
from django.db.migrations.loader import MigrationLoader

from klea_site.backup import (
    CHECKSUMS,
    DUMP,
    FILES,
    FORMAT,
    MANIFEST,
    BackupError,
    held_files,
    postgres_program,
    run_postgres,
    server_version,
)

_PIECE = 1 << 20
_SECRET_KEY = "secret_key"  # noqa: S105 -- the name of a file; each start makes one, so it is no sign of data


def read_manifest(source: Path) -> dict[str, Any]:
    """Return what a backup says of itself.

    Raises:
        BackupError: it is none, is cut off, or a newer Klea made it.
    """
    try:
        with tarfile.open(source) as archive:
            manifest = json.load(_content(archive, MANIFEST))
    except FileNotFoundError as error:
        raise BackupError(f"There is no file {source}.") from error
    except (OSError, tarfile.TarError, KeyError, ValueError) as error:
        raise BackupError(f"{source} is no backup of Klea, or it is damaged.") from error
    unknown = set(manifest.get("migrations", ())) - {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if manifest.get("format") != FORMAT or unknown:
        raise BackupError(f"{source} was made by a newer Klea. Update this one first, then restore again.")
    return dict(manifest)


def restore(source: Path, *, url: str, var: Path) -> dict[str, Any]:
    """Restore a backup and return its manifest.

    Args:
        source: the file that `write_backup` wrote.
        url: the address of an empty database.
        var: a data folder without files of its own.

    Raises:
        BackupError: something is not empty, or the backup is damaged; nothing was changed.
    """
    manifest = read_manifest(source)
    _require_empty(url, var)
    fresh = var / "restoring"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        _unpack(source, fresh)
        _fill_database(url, fresh / DUMP)
        _move_into_place(fresh / FILES, var)
    except OSError as error:
        raise BackupError(f"The backup could not be restored to {var} ({error.strerror}).") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return manifest


def _require_empty(url: str, var: Path) -> None:
    held = next((path for path in held_files(var) if path.name != _SECRET_KEY), None)
    if held is not None:
        raise BackupError(f"{var} is not empty ({held.relative_to(var)}). Restore into a new folder: VAR=…")
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' LIMIT 1").fetchone()
    if found is not None:
        raise BackupError("The database is not empty. Restore into a new folder (VAR=…) or a new database (DATABASE_URL).")


def _unpack(source: Path, fresh: Path) -> None:
    """Write the members out and compare each with its checksum."""
    found: dict[str, str] = {}
    try:
        with tarfile.open(source) as archive:
            for entry in archive:
                if entry.name in {MANIFEST, CHECKSUMS}:
                    continue
                found[entry.name] = _write(archive, entry, fresh)
            expected = json.load(_content(archive, CHECKSUMS))
    except (tarfile.TarError, KeyError, ValueError, EOFError) as error:
        raise BackupError(f"{source} is damaged: {error}. Take another backup; nothing was changed.") from error
    if found != expected:
        wrong = sorted(name for name in {*found, *expected} if found.get(name) != expected.get(name))
        raise BackupError(f"{source} is damaged ({wrong[0]}). Take another backup; nothing was changed.")


def _write(archive: tarfile.TarFile, entry: tarfile.TarInfo, fresh: Path) -> str:
    name = PurePosixPath(entry.name)
    inside = entry.name == DUMP or name.parts[0] == FILES
    if not entry.isfile() or name.is_absolute() or ".." in name.parts or not inside:
        raise BackupError(f"The backup holds {entry.name}, which has no place in one. Nothing was changed.")
    target = fresh / name
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with target.open("wb") as file:
        content = _content(archive, entry)
        while piece := content.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    target.chmod(0o600 if entry.mode & 0o077 == 0 else 0o644)
    return digest.hexdigest()


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo | str) -> IO[bytes]:
    found = archive.extractfile(entry)
    if found is None:
        raise KeyError(str(entry))
    return found


def _fill_database(url: str, dump: Path) -> None:
    program = postgres_program("pg_restore", server=server_version(url))
    once = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-comments"]
    run_postgres([program, *once, f"--dbname={url}", dump], what="The database could not be restored; it is still empty")


def _move_into_place(fresh: Path, var: Path) -> None:
    for path in sorted(fresh.iterdir()) if fresh.exists() else ():
        target = var / path.name
        if path.is_dir() and target.is_dir():
            shutil.rmtree(target)  # holds no file: that was required
        path.replace(target)
