"""Write all of Klea's data to one file: the database, the held files, the secret key.

The database is written first, at one moment; files are held under their hash and never change, so what is added
while the backup is written does no harm. Left out is what Klea makes again by itself: indexes, logs, static files.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from klea_site.instance import StartError
from klea_site.postgres_folder import programs

FORMAT: Final = 1
MANIFEST, DUMP, CHECKSUMS, FILES = "manifest.json", "database.dump", "checksums.json", "var"
MADE_AGAIN: Final = frozenset({"keywords", "log", "static", "test", "uploading", "restoring", "children.json"})
_PIECE = 1 << 20
_SPACE_FACTOR = 1.2


class BackupError(StartError):
    """A backup can't be written or read; the message says why and what to do."""


def write_backup(target: Path, *, url: str, var: Path) -> dict[str, Any]:
    """Write a backup and return its manifest.

    Args:
        target: the file to write; it appears when it is whole.
        url: the address of the database.
        var: the data folder.

    Raises:
        BackupError: it can't be written; nothing is left behind.
    """
    if target.exists():
        raise BackupError(f"{target} exists already. Name another file.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".klea-backup-") as scratch:
            dump, part = Path(scratch) / DUMP, Path(scratch) / "part.tar"
            _dump_database(url, dump)
            manifest = _manifest(dump, var)
            _require_space(target.parent, dump.stat().st_size + manifest["bytes"])
            _pack(part, manifest, dump, var)
            part.chmod(0o600)
            part.replace(target)
    except OSError as error:
        raise BackupError(f"The backup could not be written to {target} ({error.strerror}). Nothing was kept of it.") from error
    return manifest


def postgres_program(name: str, *, server: int) -> Path:
    """Return pg_dump or pg_restore in a version that knows the server's: the one in the wheel, or one on the path."""
    bundled, found = programs() / name, shutil.which(name)
    for candidate in (bundled, Path(found) if found else None):
        if candidate is not None and _major(candidate) >= server:
            return candidate
    raise BackupError(f"The server is PostgreSQL {server} and there is no {name} for it. Install postgresql-client-{server}.")


def held_files(var: Path) -> Iterator[Path]:
    """Yield the files of the data folder that belong in a backup, in a fixed order."""
    for folder, names, files in os.walk(var):
        here = Path(folder)
        if here == var:
            names[:] = [name for name in names if not _is_made_again(name)]
        names.sort()
        for path in (here / name for name in sorted(files) if here != var or not _is_made_again(name)):
            if path.is_file() and not path.is_symlink():
                yield path


def _is_made_again(name: str) -> bool:
    return name in MADE_AGAIN or name.startswith("pgdata") or name.endswith((".lock", ".users"))


def run_postgres(command: list[str | Path], *, what: str) -> None:
    """Run pg_dump or pg_restore.

    Raises:
        BackupError: it failed; the message has the last thing it said.
    """
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise BackupError(f"{what}: {said[-1] if said else f'code {done.returncode}'}")


def server_version(url: str) -> int:
    """Return the server's major version."""
    with psycopg.connect(url, connect_timeout=10) as found:
        return found.info.server_version // 10_000


def _dump_database(url: str, dump: Path) -> None:
    program = postgres_program("pg_dump", server=server_version(url))
    options = ["--format=custom", "--no-owner", "--no-privileges", "--no-comments", f"--file={dump}", f"--dbname={url}"]
    run_postgres([program, *options], what="The database could not be written")


def _major(program: Path) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.rsplit(")", 1)[-1].split()[-1].split(".")[0]) if said else 0


def _manifest(dump: Path, var: Path) -> dict[str, Any]:
    sizes = [path.stat().st_size for path in held_files(var)]
    applied = MigrationRecorder(connection).applied_migrations()
    return {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(timespec="seconds"),
        "database_bytes": dump.stat().st_size,
        "files": len(sizes),
        "bytes": sum(sizes),
        "migrations": sorted(f"{app}.{name}" for app, name in applied),
    }


def _require_space(folder: Path, needed: float) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed * _SPACE_FACTOR:
        raise BackupError(
            f"The backup takes {needed / 1e6:.0f} MB and {free / 1e6:.0f} MB are free in {folder}. Name another disk."
        )


def _pack(part: Path, manifest: dict[str, Any], dump: Path, var: Path) -> None:
    checksums: dict[str, str] = {}
    with tarfile.open(part, "w") as archive:
        _add_text(archive, MANIFEST, json.dumps(manifest, indent=1))
        checksums[DUMP] = _add(archive, dump, DUMP)
        for path in held_files(var):
            name = f"{FILES}/{path.relative_to(var).as_posix()}"
            try:
                checksums[name] = _add(archive, path, name)
            except FileNotFoundError:  # removed since the folder was listed
                continue
        _add_text(archive, CHECKSUMS, json.dumps(checksums))
    with part.open("rb") as whole:
        os.fsync(whole.fileno())


def _add(archive: tarfile.TarFile, path: Path, name: str) -> str:
    """Add a file and return its SHA-256."""
    with path.open("rb") as file:
        entry = archive.gettarinfo(arcname=name, fileobj=file)
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        reader = _Hashing(file)
        archive.addfile(entry, reader)
    return reader.digest.hexdigest()


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(text.encode()), 0o600
    archive.addfile(entry, io.BytesIO(text.encode()))


class _Hashing:
    """Reads a file and hashes what was read."""

    def __init__(self, file: io.BufferedReader) -> None:
        self.digest = hashlib.sha256()
        self._file = file

    def read(self, size: int = _PIECE) -> bytes:
        """Read on."""
        piece = self._file.read(size)
        self.digest.update(piece)
        return piece
