from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from klea_site import embedded_postgres

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.slow


class Up:
    """`manage.py up` on a data folder of its own."""

    def __init__(self, var: Path, *, port: int = 0) -> None:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("KLEA_", "DATABASE_URL", "DJANGO_"))}
        command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port), "--open", "0"]
        self.var = var
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            command, env={**env, "KLEA_VAR": str(var)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def until(self, start: str) -> str:
        """Read on to a line with this start and return its rest."""
        for line in self.process.stdout or ():
            self.lines.append(line.rstrip())
            if line.startswith(start):
                return line.removeprefix(start).strip()
        raise AssertionError("\n".join(self.lines))

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        self.lines += rest.splitlines()
        return self.process.returncode

    @property
    def children(self) -> list[int]:
        return [entry["pid"] for entry in json.loads((self.var / "children.json").read_text())]


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Callable[..., Up]]:
    made: list[Up] = []

    def start(name: str = "var", *, port: int = 0) -> Up:
        made.append(Up(tmp_path / name, port=port))
        return made[-1]

    yield start
    for one in made:
        with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
            if one.process.poll() is None:
                one.stop(signal.SIGTERM)
        if one.process.stdout:
            one.process.stdout.close()
        embedded_postgres.stop(one.var)


def status(address: str, path: str) -> int:
    connection = http.client.HTTPConnection(address.removeprefix("http://").rstrip("/"), timeout=10)
    with contextlib.closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status


def wait_for(condition: Callable[[], object], timeout_s: float = 40) -> None:
    give_up = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < give_up, "it did not come about in time"
        time.sleep(0.2)


def serves(address: str) -> bool:
    with contextlib.suppress(OSError, http.client.HTTPException):
        return status(address, "/healthz") == 200
    return False


def test_it_serves_signs_in_heals_stops_and_starts_again(up: Callable[..., Up]) -> None:
    first = up()
    address = first.until("ready: ")
    link = first.until("sign-in: ").removeprefix(address.rstrip("/"))

    assert status(address, "/healthz") == 200
    assert (status(address, link), status(address, link)) == (302, 410)

    for pid in first.children:
        os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not serves(address))
    wait_for(lambda: serves(address))

    assert first.stop() == 0
    assert not embedded_postgres.is_running(first.var)
    assert not [pid for pid in first.children if psutil.pid_exists(pid)]

    second = up()
    second.until("ready: ")
    assert second.stop(signal.SIGTERM) == 0
    assert not [line for line in second.lines if "preparing" in line]


def test_a_killed_start_is_cleared_away_by_the_next(up: Callable[..., Up]) -> None:
    first = up()
    first.until("sign-in: ")
    left = first.children
    first.process.kill()
    first.process.wait()

    second = up()
    second.until("ready: ")

    assert any("left behind" in line for line in second.lines)
    assert not [pid for pid in left if psutil.pid_exists(pid)]


def test_what_stands_in_the_way_is_told_in_a_sentence(up: Callable[..., Up], tmp_path: Path) -> None:
    running = up()
    running.until("sign-in: ")
    (tmp_path / "file").write_text("")

    with socket.create_server(("127.0.0.1", 0)) as server:
        refused = [up(), up("other", port=server.getsockname()[1])]
        said = [one.process.communicate(timeout=60)[0] for one in refused]
    unwritable = Up(tmp_path / "file" / "var")
    said.append(unwritable.process.communicate(timeout=60)[0])

    assert [one.process.returncode for one in (*refused, unwritable)] == [1, 1, 1]
    assert "Klea already runs on" in said[0]
    assert "is used by another program. Choose another: make run PORT=" in said[1]
    assert "can't be" in said[2]
    assert [text.count("\n") for text in said] == [1, 1, 1]
