"""A process that Klea runs for itself, with its output in a file of bounded size."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path

import psutil

_LOG_BYTES, _LOG_FILES, _LAST_LINES = 5_000_000, 3, 12
_KILLED_S = 5.0


class Child:
    """A process with a name; it can be started again after its end.

    It has a session of its own, so a Ctrl-C in the terminal reaches Klea alone, which ends its children in order.
    """

    def __init__(self, name: str, command: Sequence[str], *, log: Path, grace_s: float = 10.0) -> None:
        """Describe it.

        Args:
            name: what a person reads, such as `web server`.
            command: the program and its arguments.
            log: the file for what it prints; older parts are kept beside it.
            grace_s: how long it may take to end when asked to, before it is killed.
        """
        self.name = name
        self.command = list(command)
        self.log = log
        self.grace_s = grace_s
        self.process: subprocess.Popen[str] | None = None
        self.began = 0.0
        self.last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._reader: threading.Thread | None = None

    def start(self) -> None:
        """Start it."""
        self.last_lines.clear()
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, args=(self.process,), daemon=True, name=f"log of {self.name}")
        self._reader.start()

    @property
    def running(self) -> bool:
        """Tell whether it runs."""
        return self.process is not None and self.process.poll() is None

    def ending(self) -> str:
        """Say how it ended, for a person."""
        code = self.process.returncode if self.process else None
        if code is None:
            return "has not ended"
        return f"ended with code {code}" if code >= 0 else f"was killed by {signal.Signals(-code).name}"

    def end(self) -> None:
        """Ask it to end, kill what is left of it and its own children, and wait."""
        if self.process is None:
            return
        end_family(self.process.pid, grace_s=self.grace_s, wait=self.process.wait)
        self.process.wait()
        if self._reader is not None:
            self._reader.join(timeout=2)

    def _read(self, process: subprocess.Popen[str]) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(self.log, maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8")
        with contextlib.closing(handler), process.stdout or contextlib.nullcontext(()) as output:
            for line in output:
                self.last_lines.append(line.rstrip("\n"))
                with contextlib.suppress(OSError):  # a full disk must not stop what is logged
                    handler.emit(logging.LogRecord(self.name, logging.INFO, "", 0, line.rstrip("\n"), None, None))


def end_family(pid: int, *, grace_s: float, wait: Callable[[float], object] | None = None) -> None:
    """End a process and its descendants: the process is asked first, what remains is killed.

    Args:
        pid: the process.
        grace_s: how long it may take to end when asked.
        wait: waits for the process up to some seconds; a parent gives its own, which keeps how the process ended.
    """
    family = session_of(pid)
    with contextlib.suppress(psutil.NoSuchProcess):
        leader = psutil.Process(pid)
        family += leader.children(recursive=True)
        leader.terminate()
        with contextlib.suppress(psutil.TimeoutExpired, subprocess.TimeoutExpired):
            (wait or leader.wait)(grace_s)
        leader.kill()
        with contextlib.suppress(psutil.TimeoutExpired, subprocess.TimeoutExpired):  # it hangs in the kernel
            (wait or leader.wait)(_KILLED_S)
    kill_all(family)


def kill_all(processes: Iterable[psutil.Process]) -> None:
    """Kill processes and wait for their end."""
    found = list(processes)
    for process in found:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(found, timeout=_KILLED_S)


def session_of(pid: int) -> list[psutil.Process]:
    """Return the processes of the session that a child began, which outlive it if it is killed."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
            if process.pid != pid and os.getsid(process.pid) == pid:
                found.append(process)
    return found
