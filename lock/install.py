"""Set up .venv from the lock files: `python3 lock/install.py run`, or `test`, or `full`.

Needs nothing but Python 3.11+. What a lock file names is installed once and again only when the file has
changed; a set-up that was cut short goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "lock"
VENV = ROOT / ".venv"
STAMPS = VENV / "klea"
PYTHON = VENV / "bin" / "python"
NEEDED = {
    "run": (("run", []), ("weights", ["--no-deps"])),
    "test": (("test", []), ("weights", ["--no-deps"])),
    "full": (("test", []), ("weights", ["--no-deps"]), ("full", [])),
}
FREE_MB = {"run": 2_500, "test": 3_000, "full": 9_000}
NO_VENV = (
    "Python's module venv is incomplete here. On Debian and Ubuntu: apt install python3-venv (as root); "
    "elsewhere install Python from python.org. Then give the same command again."
)


def main(kind: str) -> None:
    """Install what `kind` needs and isn't there."""
    if sys.version_info < (3, 11):  # noqa: UP036 -- whoever has an older one is to read a sentence
        sys.exit(
            f"klea: this is Python {sys.version.split()[0]}, and Klea needs 3.11 or newer. Name one: make PYTHON=python3.12 run"
        )
    make_venv()
    missing = [(name, options) for name, options in NEEDED[kind] if read(STAMPS / name) != digest(name)]
    if not missing:
        return
    require_space(kind)
    interrupted = STAMPS / "installing"
    if interrupted.exists():
        forget_half_installed()
    interrupted.touch()
    for name, options in missing:
        install(name, options)
        (STAMPS / name).write_text(digest(name), encoding="ascii")
    interrupted.unlink()


def digest(name: str) -> str:
    """Return what the stamp of a lock file says once it is installed: its hash and Python's version."""
    return f"{hashlib.sha256((LOCKS / f'{name}.txt').read_bytes()).hexdigest()} {sys.version_info[0]}.{sys.version_info[1]}"


def read(stamp: Path) -> str:
    """Return the text of a stamp, or nothing."""
    return stamp.read_text(encoding="ascii") if stamp.exists() else ""


def make_venv() -> None:
    """Make the virtual environment unless there is one that works with this version of Python."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    probe = f"import sys, pip; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')"
    if PYTHON.exists() and subprocess.run([PYTHON, "-c", probe], capture_output=True, check=False).returncode == 0:
        STAMPS.mkdir(exist_ok=True)
        return
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        sys.exit(f"klea: {NO_VENV}")
    say("making the virtual environment .venv")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        said = (made.stderr + made.stdout).strip().splitlines()
        sys.exit(f"klea: .venv could not be made: {said[-1] if said else 'no reason was given'}. {NO_VENV}")
    STAMPS.mkdir()


def require_space(kind: str) -> None:
    """Refuse a first set-up that would fill the disk."""
    free_mb = shutil.disk_usage(VENV).free // 1_000_000
    if free_mb < FREE_MB[kind] and not any(read(STAMPS / name) for name, _ in NEEDED[kind]):
        sys.exit(
            f"klea: {free_mb} MB are free in {ROOT}, and the set-up takes {FREE_MB[kind]} MB. Free some space and try again."
        )


def forget_half_installed() -> None:
    """Make pip install those packages again of which a file is missing, after a set-up that was cut short."""
    say("the last set-up was cut short: going on")
    code = (
        "import importlib.metadata as m, shutil\n"
        "for d in list(m.distributions()):\n"
        "    files = d.files\n"
        "    if not files or any(f.suffix != '.pyc' and not f.locate().exists() for f in files):\n"
        "        shutil.rmtree(d._path, ignore_errors=True)\n"
    )
    subprocess.run([PYTHON, "-c", code], check=True)


def install(name: str, options: list[str]) -> None:
    """Let pip install a lock file, and tell how far it is."""
    lock = LOCKS / f"{name}.txt"
    total = len(re.findall(r"(?m)^[\w.-]+(?:\[.*\])?==", lock.read_text(encoding="utf-8")))
    say(f"installing {lock.relative_to(ROOT)}: {total} packages (some minutes the first time, none after that)")
    began = time.monotonic()
    quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--root-user-action", "ignore"]
    command = [PYTHON, "-m", "pip", "install", *quiet, "--no-compile", *options, "-r", lock]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT) as pip:
        said = follow(pip, total)
    if pip.returncode != 0:
        print("".join(said), file=sys.stderr)
        sys.exit(
            f"klea: pip could not install {lock.relative_to(ROOT)}; its last lines stand above. "
            "Is the network there? The same command goes on where this one stopped."
        )
    say(f"{lock.relative_to(ROOT)} is installed ({time.monotonic() - began:.0f} s)")


def follow(pip: subprocess.Popen[str], total: int) -> deque[str]:
    """Read pip's output to its end, report each quarter, and return the last lines."""
    last: deque[str] = deque(maxlen=15)
    seen, quarter = 0, max(1, total // 4)
    for line in pip.stdout or ():
        last.append(line)
        if line.startswith("Installing collected packages"):
            say("unpacking")
        elif line.startswith(("Collecting ", "Requirement already satisfied")):
            seen += 1
            if seen % quarter == 0:
                say(f"{min(seen, total)} of {total} packages fetched")
    return last


def say(text: str) -> None:
    """Tell what happens."""
    print(f"klea: {text}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in NEEDED:
        sys.exit(f"usage: {sys.argv[0]} {'|'.join(NEEDED)}")
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit("klea: stopped. The same command goes on where this one stopped.")
