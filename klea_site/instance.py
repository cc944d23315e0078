"""One Klea a data folder: a lock that dies with its process, and a record of children to end after a crash."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from klea_site.child import end_family, kill_all, session_of


class StartError(Exception):
    """Klea can't start here; the message says why and what to do."""

    retryable = False
    advice = "Do what the message says and start again."


@contextlib.contextmanager
def only_instance(var: Path, *, address: str) -> Iterator[None]:
    """Hold the data folder for the time of a block.

    Raises:
        StartError: another Klea runs on it, or it can't be written.
    """
    try:
        var.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (var / "up.lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise StartError(f"The data folder {var} can't be written ({error.strerror}). Choose another with VAR=….") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StartError(_who_runs(lock.name, var)) from error
        lock.seek(0)
        lock.truncate()
        json.dump({"pid": os.getpid(), "address": address}, lock)
        lock.flush()
        yield


def _who_runs(lock: str, var: Path) -> str:
    try:
        held = json.loads(Path(lock).read_text(encoding="utf-8"))
        who = f"at {held['address']} (process {held['pid']})"
        stop = f"stop it there with Ctrl-C (or: kill {held['pid']})"
    except (ValueError, KeyError):
        who, stop = "", "stop it there with Ctrl-C"
    return f"Klea already runs on {var} {who}. Open that, {stop}, or choose another data folder with VAR=…."


def record_children(var: Path, pids: Iterable[int]) -> None:
    """Write down which processes are ours, each with the time it began, so that its number alone proves nothing."""
    found = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            found.append({"pid": pid, "began": psutil.Process(pid).create_time()})
    (var / "children.json").write_text(json.dumps(found), encoding="utf-8")


def running_children(var: Path) -> list[int]:
    """Return the recorded children that still run."""
    return [pid for pid, began in _recorded(var) if _is_same(pid, began)]


def end_leftovers(var: Path) -> int:
    """End the children of a Klea that was killed, and what they left; return how many processes there were."""
    ended = 0
    for pid, began in _recorded(var):
        if _is_same(pid, began):
            ended += 1 + len(session_of(pid))
            end_family(pid, grace_s=5)
        elif not psutil.pid_exists(pid):  # its number can't be another's while its session has members
            left = [process for process in session_of(pid) if _is_this_python(process)]
            ended += len(left)
            kill_all(left)
    return ended


def _recorded(var: Path) -> list[tuple[int, float]]:
    try:
        recorded = json.loads((var / "children.json").read_text(encoding="utf-8"))
        return [(int(entry["pid"]), float(entry["began"])) for entry in recorded]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return []


def _is_same(pid: int, began: float) -> bool:
    try:
        process = psutil.Process(pid)
        return bool(process.create_time() == began and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _is_this_python(process: psutil.Process) -> bool:
    try:
        return process.cmdline()[:1] == [sys.executable]
    except psutil.Error:
        return False


def free_port(host: str, port: int) -> int:
    """Return the port if it is free, or any free one for 0.

    Raises:
        StartError: it is taken, not allowed, or the host is no address of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return _bind(family, host, port)
    except PermissionError as error:
        raise StartError(f"Port {port} may not be opened by this user. Choose one above 1023: make run PORT=8000.") from error
    except (socket.gaierror, OverflowError) as error:
        raise StartError(f"HOST={host} PORT={port} is no address. Take HOST=127.0.0.1 and a port from 1 to 65535.") from error
    except OSError as error:
        taken = _is_taken(host, port)
        if taken is None:
            raise StartError(f"HOST={host} is no address of this machine ({error.strerror}). Take HOST=127.0.0.1.") from error
        raise StartError(f"Port {port} is used by another program. Choose another: make run PORT={taken}.") from error


def _bind(family: int, host: str, port: int) -> int:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        return int(probe.getsockname()[1])


def _is_taken(host: str, port: int) -> int | None:
    """Return a port near a taken one that is free, or None if no port of this host can be opened at all."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    for candidate in (*range(port + 1, min(port + 50, 65_536)), 0):
        with contextlib.suppress(OSError):
            return _bind(family, host, candidate)
    return None
