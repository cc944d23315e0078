"""Kill processes of a running ingestion at random, twenty times, and compare the end with an undisturbed run.

    KLEA_SHARED_DATA=… python -m tests.load.kill_and_resume FOLDER [--kills 20] [--seed 1] [--files 60] [--keep DIR]

Two data folders are made, each with its own embedded PostgreSQL. Into the first the files are ingested by a queue worker that is
left alone; into the second by one whose processes (worker, its guard, conversion child, PostgreSQL's backends and postmaster,
web server) are killed with SIGKILL at random moments and started again by this script. At the end both must hold the same
chunks and the same number of embeddings, nothing twice, and `manage.py doctor` must find nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from klea_site import embedded_postgres

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_S = 3600
SNAPSHOT = """
import json
from corpus.models import Chunk, SourceFile, StageAttempt
from retrieval.models import Embedding
held = SourceFile.objects.held()
print(json.dumps({
    "states": sorted(held.values_list("path", "state")),
    "chunks": sorted(Chunk.objects.values_list("source_file__path", "ordinal", "text_hash")),
    "embeddings": Embedding.objects.count(),
    "embedded_chunks": Embedding.objects.values("store", "chunk").distinct().count(),
    "running": StageAttempt.objects.filter(outcome="running").count(),
}))
"""


@dataclass
class Stack:
    """A data folder with its database server, a worker and a web server."""

    var: Path
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    started: int = 0

    @property
    def environment(self) -> dict[str, str]:
        own = {"KLEA_VAR": str(self.var), "DATABASE_URL": embedded_postgres.uri(self.var)}  # an address: no command stops it
        return {**os.environ, **own, "KLEA_LEASE_SECONDS": "10", "KLEA_LOG_LEVEL": "WARNING"}

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(arguments)[:80]} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
        return done.stdout

    def start_database(self) -> None:
        code = "import sys; from pathlib import Path; from klea_site import embedded_postgres as e; e.start(Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-c", code, str(self.var)], cwd=ROOT, env=self.environment, check=True)

    def keep_up(self) -> None:
        """Start what is not running."""
        self.start_database()
        commands = {
            "worker": [sys.executable, "manage.py", "qcluster"],
            "web": [sys.executable, "-m", "daphne", "-u", str(self.var / "web.sock"), "klea_site.asgi:application"],
        }
        for name, command in commands.items():
            process = self.running.get(name)
            if process is None or process.poll() is not None:
                with (self.var / f"{name}.log").open("ab") as log:
                    self.running[name] = subprocess.Popen(
                        command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
                    )
                self.started += 1

    def processes(self) -> list[tuple[str, psutil.Process]]:
        """Return every process of the stack with a name."""
        found = []
        for name, process in self.running.items():
            try:
                parent = psutil.Process(process.pid)
                found += [(name, one) for one in [parent, *parent.children(recursive=True)]]
            except psutil.NoSuchProcess:
                continue
        pid_file = self.var / "pgdata" / "postmaster.pid"
        if pid_file.exists():
            try:
                postmaster = psutil.Process(int(pid_file.read_text(encoding="ascii").split()[0]))
                found += [("postgres", one) for one in [postmaster, *postmaster.children()]]
            except (psutil.NoSuchProcess, ValueError, IndexError):
                pass
        return found

    def waiting(self) -> int:
        rows = [json.loads(line) for line in self.manage("files", "--json").splitlines()]
        return sum(row["state"] in {"queued", "converting", "indexing"} for row in rows)

    def snapshot(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.manage("shell", "--no-imports", "-v", "0", "-c", SNAPSHOT).splitlines()[-1])
        return found

    def stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
        for process in psutil.process_iter(["environ"]):  # what outlived a killed parent
            if (process.info["environ"] or {}).get("KLEA_VAR") == str(self.var):
                process.kill()
        code = "import sys; from pathlib import Path; from klea_site import embedded_postgres as e; e.stop(Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-c", code, str(self.var)], cwd=ROOT, env=self.environment, check=False)


def prepare(var: Path, files: Path) -> Stack:
    var.mkdir(parents=True)
    stack = Stack(var)
    stack.start_database()
    stack.manage("migrate", "-v", "0")
    stack.manage("ingest", str(files), "--domain", "load", "--create", "--collection", "files")
    return stack


def undisturbed(stack: Stack) -> float:
    began = time.monotonic()
    stack.keep_up()
    while stack.waiting():
        if time.monotonic() - began > PATIENCE_S:
            raise TimeoutError("The undisturbed run did not end.")
        time.sleep(2)
    return time.monotonic() - began


def disturbed(stack: Stack, kills: int, chance: random.Random, length_s: float) -> tuple[float, int]:
    """Ingest while processes are killed; how long it took, and how many were."""
    began, killed = time.monotonic(), 0
    pause = max(3.0, length_s / kills)
    while killed < kills:
        stack.keep_up()
        time.sleep(chance.uniform(0.3, 2 * pause))
        if told := kill_one(stack, chance):
            killed += 1
            say(f"{time.monotonic() - began:6.0f} s  kill {killed}: {told}")
            time.sleep(1)
    while still_waits(stack):
        if time.monotonic() - began > PATIENCE_S:
            raise TimeoutError("The disturbed run did not end.")
        time.sleep(2)
    return time.monotonic() - began, killed


def still_waits(stack: Stack) -> bool:
    stack.keep_up()
    try:
        return stack.waiting() > 0
    except RuntimeError as error:
        say(f"the database is away for a moment: {str(error)[-120:]}")
        return True


def kill_one(stack: Stack, chance: random.Random) -> str:
    """Kill a process; each kind (worker, child, web, database) is as likely as the others."""
    groups: dict[str, list[psutil.Process]] = {}
    for name, process in stack.processes():
        kind = "child" if "corpus.conversion_child" in " ".join(command_of(process)) else name
        groups.setdefault(kind, []).append(process)
    if not groups:
        return ""
    kind = chance.choice(sorted(groups))
    victim = chance.choice(groups[kind])
    told = f"{kind}: {' '.join(command_of(victim))[-70:]}"
    try:
        os.kill(victim.pid, signal.SIGKILL)
    except ProcessLookupError:
        return ""
    return told


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def command_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def chosen(folder: Path, into: Path, count: int) -> Path:
    """Copy the first files of a folder, so that both runs see the same ones."""
    into.mkdir(parents=True)
    wanted = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in {".md", ".pdf", ".html", ".docx", ".txt"}]
    small = [path for path in wanted if path.is_file() and path.stat().st_size < 1_500_000][:count]
    for number, path in enumerate(small):
        shutil.copyfile(path, into / f"{number:03d}-{path.name}")
    return into


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    names = [name for name in ("states", "chunks", "embeddings") if one[name] != other[name]]
    told = [f"{name} differ: {_excerpt(one[name], other[name])}" for name in names]
    if other["embeddings"] != other["embedded_chunks"]:
        told.append("a chunk is embedded twice in a store")
    if other["running"]:
        told.append(f"{other['running']} attempts are said to run")
    return told


def _excerpt(one: Any, other: Any) -> str:
    if not isinstance(one, list):
        return f"{one} and {other}"
    left, right = {tuple(row) for row in one}, {tuple(row) for row in other}
    return f"{len(one)} and {len(other)}; only undisturbed {sorted(left - right)[:5]}; only disturbed {sorted(right - left)[:5]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this folder and leave it")
    options = parser.parse_args()
    work = options.keep or Path(tempfile.mkdtemp(prefix="klea-kill-"))
    files = chosen(options.folder, work / "files", options.files)
    calm, stormy = prepare(work / "calm", files), None
    try:
        length_s = undisturbed(calm)
        before = calm.snapshot()
        say(f"undisturbed: {length_s:.0f} s, {len(before['chunks'])} chunks, {before['embeddings']} embeddings")
        calm.stop()
        stormy = prepare(work / "stormy", files)
        took_s, killed = disturbed(stormy, options.kills, random.Random(options.seed), length_s)
        after = stormy.snapshot()
        say(f"disturbed: {took_s:.0f} s, {killed} kills, {stormy.started} starts, {len(after['chunks'])} chunks")
        found = differences(before, after)
        say("\n".join(found) or "The end is the same.")
        return 1 if found else 0
    finally:
        for stack in (calm, stormy):
            if stack is not None:
                stack.stop()
        if options.keep is None:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
