"""Run PostgreSQL's programs as somebody who is not root.

PostgreSQL refuses to run as root. An ordinary user runs it as themselves. Root runs it as the owner of
the data or, for new data, as the system user `klea_postgres`, which is made when it is missing. That user
can't pass through folders that are closed to others, such as /root; instead of opening them, the programs
are given the one Linux capability that passes through. No permission of an existing folder is changed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SYSTEM_USER = "klea_postgres"
_CAPABILITIES = (("dac_read_search", 2), ("dac_override", 1))  # the narrower one first; numbers of linux/capability.h


class NoAccountError(Exception):
    """PostgreSQL can't be run by this user here; the message says what to do."""


@dataclass(frozen=True)
class Account:
    """Who runs PostgreSQL's programs, and by which prefix of a command line.

    `user` is None where the present user is right, or where the prefix changes to the account.
    """

    uid: int
    gid: int
    prefix: tuple[str, ...] = ()
    user: str | None = None

    def run(self, command: Sequence[str | Path], *, timeout_s: float) -> subprocess.CompletedProcess[str]:
        """Run a program to its end and return what it printed, errors included, as `stdout`."""
        return subprocess.run(
            [*self.prefix, *map(str, command)],
            user=self.user,
            group=None if self.user is None else self.gid,
            extra_groups=None if self.user is None else [],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)},
            cwd="/",
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )

    def give(self, path: Path) -> None:
        """Make the account the owner of a file or folder."""
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid)


def account_for(data: Path, *, programs: Path) -> Account:
    """Choose who runs PostgreSQL.

    Args:
        data: the data folder; it may not exist yet.
        programs: the folder of PostgreSQL's programs.

    Raises:
        NoAccountError: there is no such account, or it can't reach the folders.
    """
    if os.geteuid() != 0:
        return Account(uid=os.geteuid(), gid=os.getegid())
    if not sys.platform.startswith("linux"):
        raise NoAccountError("PostgreSQL does not run as root. Start Klea as an ordinary user, without sudo.")
    entry = _owner_of(data) or _system_user()
    if _reaches(entry, data) and _reaches(entry, programs / "postgres"):
        return Account(uid=entry.pw_uid, gid=entry.pw_gid, user=entry.pw_name)
    return Account(uid=entry.pw_uid, gid=entry.pw_gid, prefix=_passing_through(entry, data))


def _owner_of(data: Path) -> pwd.struct_passwd | None:
    if not data.exists() or (uid := data.stat().st_uid) == 0:
        return None
    try:
        return pwd.getpwuid(uid)
    except KeyError as error:
        raise NoAccountError(
            f"{data} belongs to the user number {uid}, who does not exist here. "
            f"Give it to one who does: chown -R {SYSTEM_USER} '{data}'."
        ) from error


def _system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        pass
    command = [
        "useradd",
        "--system",
        "--no-create-home",
        "--home-dir",
        "/nonexistent",
        "--shell",
        "/usr/sbin/nologin",
        SYSTEM_USER,
    ]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
        return pwd.getpwnam(SYSTEM_USER)
    except (OSError, subprocess.CalledProcessError, KeyError) as error:
        raise NoAccountError(
            f"PostgreSQL does not run as root, and the system user {SYSTEM_USER} could not be made for it. "
            f"Start Klea as an ordinary user, or make that user: {' '.join(command)}."
        ) from error


def _reaches(entry: pwd.struct_passwd, path: Path) -> bool:
    return all(_searchable(entry, folder) for folder in path.resolve().parents)


def _searchable(entry: pwd.struct_passwd, folder: Path) -> bool:
    try:
        found = folder.stat()
    except FileNotFoundError:
        return True
    if found.st_uid == entry.pw_uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == entry.pw_gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)


def _passing_through(entry: pwd.struct_passwd, data: Path) -> tuple[str, ...]:
    setpriv, capability = shutil.which("setpriv"), _held_capability()
    if setpriv is None or capability is None:
        raise NoAccountError(
            f"PostgreSQL does not run as root, and the user {entry.pw_name} can't pass through a folder above {data}. "
            "Choose a data folder that others may pass through, such as VAR=/srv/klea, or start as an ordinary user."
        )
    # no_setuid_fixup: access(2) is to see the capability, or PostgreSQL does not find its own program.
    only = f"-all,+{capability}"
    return (
        *(setpriv, "--reuid", str(entry.pw_uid), "--regid", str(entry.pw_gid), "--clear-groups"),
        *("--inh-caps", only, "--ambient-caps", only, "--securebits", "+no_setuid_fixup", "--"),
    )


def _held_capability() -> str | None:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    held = next((int(line.split()[1], 16) for line in lines if line.startswith("CapEff:")), 0)
    return next((name for name, bit in _CAPABILITIES if held >> bit & 1), None)
