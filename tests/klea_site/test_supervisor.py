from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from klea_site.child import Child
from klea_site.instance import StartError, end_leftovers, free_port, only_instance, record_children
from klea_site.supervisor import Supervisor

WAIT = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
PARENT = (
    "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
    "print(child.pid, flush=True); time.sleep(60)"
)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    made: list[Child] = []

    def _make(code: str, name: str = "worker", grace_s: float = 5) -> Child:
        made.append(Child(name, [sys.executable, "-c", code], log=tmp_path / "log" / f"{name}.log", grace_s=grace_s))
        return made[-1]

    yield _make
    for child in made:
        child.end()


def until(condition: Callable[[], object], timeout_s: float = 10) -> None:
    give_up = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < give_up, "it did not come about in time"
        time.sleep(0.02)


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@contextlib.contextmanager
def watched(supervisor: Supervisor) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=supervisor.watch, args=(stop,))
    supervisor.start()
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        supervisor.stop()


def test_a_child_writes_to_its_log_and_ends_when_asked(make: Callable[..., Child]) -> None:
    child = make(WAIT)
    child.start()
    until(lambda: list(child.last_lines) == ["up"])

    child.end()

    assert not child.running
    assert child.ending() == "was killed by SIGTERM"
    assert child.log.read_text() == "up\n"


def test_a_child_that_will_not_end_is_killed(make: Callable[..., Child]) -> None:
    child = make(STUBBORN, grace_s=0.3)
    child.start()
    until(lambda: child.last_lines)

    child.end()

    assert child.ending() == "was killed by SIGKILL"


def test_what_a_child_started_ends_with_it(make: Callable[..., Child]) -> None:
    child = make(PARENT)
    child.start()
    until(lambda: child.last_lines)
    grandchild = int(child.last_lines[0])

    child.end()

    until(lambda: gone(grandchild))


def test_what_a_killed_child_left_behind_ends_with_it(make: Callable[..., Child]) -> None:
    child = make(PARENT)
    child.start()
    until(lambda: child.last_lines)
    orphan = int(child.last_lines[0])
    os.kill(child.process.pid if child.process else 0, signal.SIGKILL)
    until(lambda: not child.running)

    child.end()

    until(lambda: gone(orphan))


def test_orphans_of_a_killed_child_are_ended_by_the_next_start(make: Callable[..., Child], tmp_path: Path) -> None:
    child = make(PARENT)
    child.start()
    until(lambda: child.last_lines)
    orphan = int(child.last_lines[0])
    record_children(tmp_path, [child.process.pid] if child.process else [])
    os.kill(child.process.pid if child.process else 0, signal.SIGKILL)
    until(lambda: not child.running)

    assert end_leftovers(tmp_path) == 1
    until(lambda: gone(orphan))


def test_a_killed_child_is_started_again_and_the_reason_is_said(make: Callable[..., Child]) -> None:
    child, said, starts = make(WAIT), [], []
    supervisor = Supervisor([child], say=said.append, after_start=starts.append, delays_s=(0.1,))

    with watched(supervisor):
        first = child.process.pid if child.process else 0
        os.kill(first, signal.SIGKILL)
        until(lambda: len(starts) == 2 and child.running)

    assert starts[0] == [first]
    assert starts[1] != starts[0]
    assert "the worker was killed by SIGKILL; it is started again in 0.1 s" in said[0]


def test_the_waits_grow_and_then_stay(make: Callable[..., Child]) -> None:
    said: list[str] = []
    supervisor = Supervisor([make("raise SystemExit(3)")], say=said.append, delays_s=(0.01, 0.02, 0.03))

    with watched(supervisor):
        until(lambda: len(said) >= 5, timeout_s=20)

    assert [line.split(" in ")[1].split(" s ")[0] for line in said[:5]] == ["0.01", "0.02", "0.03", "0.03", "0.03"]
    assert "ended with code 3" in said[0]


def test_children_are_ended_in_their_order(make: Callable[..., Child], tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\n"
        "def bye(*_):\n    open(sys.argv[1], 'a').write(sys.argv[2]); sys.exit()\n"
        "signal.signal(signal.SIGTERM, bye); print('up', flush=True); time.sleep(60)"
    )
    first, second = make(code, "web server"), make(code, "worker")
    for child, letter in ((first, "a"), (second, "b")):
        child.command += [str(tmp_path / "order"), letter]
    supervisor = Supervisor([first, second], say=lambda _: None)
    supervisor.start()
    until(lambda: first.last_lines and second.last_lines)

    supervisor.stop()

    assert (tmp_path / "order").read_text() == "ab"


def test_the_children_of_a_killed_start_are_ended_by_the_next(make: Callable[..., Child], tmp_path: Path) -> None:
    child = make(WAIT)
    child.start()
    record_children(tmp_path, [child.process.pid] if child.process else [])

    assert end_leftovers(tmp_path) == 1
    until(lambda: not child.running)


def test_a_process_that_only_has_the_same_number_is_left_alone(make: Callable[..., Child], tmp_path: Path) -> None:
    child = make(WAIT)
    child.start()
    (tmp_path / "children.json").write_text(f'[{{"pid": {child.process.pid if child.process else 0}, "began": 1.5}}]')

    assert end_leftovers(tmp_path) == 0
    assert child.running


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"pid": "x"}]', "null"])
def test_a_damaged_record_of_children_is_no_obstacle(tmp_path: Path, text: str) -> None:
    (tmp_path / "children.json").write_text(text)

    assert end_leftovers(tmp_path) == 0


def test_a_second_start_on_one_data_folder_is_told_where_the_first_runs(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from klea_site.instance import only_instance\n"
        "with only_instance(Path(sys.argv[1]), address='http://127.0.0.1:8123'): print('up', flush=True); time.sleep(60)"
    )
    first = Child("first", [sys.executable, "-c", code, str(tmp_path)], log=tmp_path / "first.log")
    first.start()
    try:
        until(lambda: first.last_lines)
        with (
            pytest.raises(StartError, match=r"already runs on .* at http://127.0.0.1:8123 .*VAR="),
            only_instance(tmp_path, address=""),
        ):
            pass
    finally:
        os.kill(first.process.pid if first.process else 0, signal.SIGKILL)
        first.end()

    with only_instance(tmp_path, address="http://127.0.0.1:8000"):
        assert "8000" in (tmp_path / "up.lock").read_text()


def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("")

    with pytest.raises(StartError, match="can't be written"), only_instance(tmp_path / "var", address=""):
        pass


def test_a_port_in_use_is_told_with_one_that_is_free() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(StartError, match=rf"Port {port} is used by another program. Choose another: make run PORT=\d+"):
            free_port("127.0.0.1", port)


def test_port_0_is_any_free_one() -> None:
    assert free_port("127.0.0.1", 0) > 1023


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 8000), ("127.0.0.1", 70_000), ("203.0.113.7", 8000)])
def test_an_address_of_elsewhere_is_refused(host: str, port: int) -> None:
    with pytest.raises(StartError, match=r"HOST=127\.0\.0\.1"):
        free_port(host, port)
