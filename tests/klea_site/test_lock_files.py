from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LOCKS = ["run", "test", "full", "weights"]
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==([^\s;]+)(?:\s*;\s*(.+?))?\s*\\?$", re.MULTILINE)


def text(name: str) -> str:
    return (ROOT / "lock" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> set[tuple[str, str]]:
    return {(canonical(found), version) for found, version, _ in PIN.findall(text(name))}


def names(name: str) -> set[str]:
    return {found for found, _ in pins(name)}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*, group: str = "") -> set[tuple[str, str]]:
    """What pyproject.toml asks for: names, with the version where it names one exactly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = project["optional-dependencies"][group] if group else project["dependencies"]
    found = (re.match(r"([\w.-]+)(?:\[[^\]]*\])?(?:==([^\s;]+))?", entry) for entry in entries)
    return {(canonical(match[1]), match[2] or "") for match in found if match}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_names_no_address_and_no_folder_of_a_machine(name: str) -> None:
    assert (
        re.findall(r"\S*://\S*|\s@ \S+|--(?:index-url|find-links|extra-index-url)\S*|/(?:home|root|opt|work|tmp)/\S*", text(name))
        == []
    )


@pytest.mark.parametrize(("name", "group"), [("run", ""), ("test", "test"), ("full", "full")])
def test_the_lock_files_are_in_step_with_the_project(name: str, group: str) -> None:
    """After a change of dependencies: make lock."""
    wanted = declared(group=group)
    exact = {(package, version) for package, version in wanted if version}

    assert {package for package, _ in wanted} - names(name) == set()
    assert exact - pins(name) == set()


def test_the_three_sets_agree_on_versions() -> None:
    assert pins("run") <= pins("test") <= pins("full")


@pytest.mark.parametrize("package", ["torch", "sentence-transformers", "pytest", "mypy", "ruff", "playwright", "django-stubs"])
def test_running_needs_neither_torch_nor_tools(package: str) -> None:
    assert package not in names("run")


def test_the_tests_need_no_torch() -> None:
    assert "torch" not in names("test")


@pytest.mark.parametrize("name", ["run", "test", "weights"])
def test_each_package_has_hashes(name: str) -> None:
    entries = re.split(r"(?m)^(?=[A-Za-z0-9])", re.sub(r"(?m)^\s*#.*\n", "", text(name)))

    assert [entry.split()[0] for entry in entries if entry.strip() and "--hash=sha256:" not in entry] == []


def test_an_older_python_gets_a_sentence() -> None:
    code = (
        "import sys, runpy; sys.version_info = (3, 9, 2); sys.version = '3.9.2'; sys.argv = ['install.py', 'run'];"
        "runpy.run_path('lock/install.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == "klea: this is Python 3.9.2, and Klea needs 3.11 or newer. Name one: make PYTHON=python3.12 run\n"


def test_a_python_without_ensurepip_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    for name in ("install.py", "run.txt", "weights.txt"):
        (tmp_path / "lock" / name).write_bytes((ROOT / "lock" / name).read_bytes())
    code = (
        "import importlib.util, sys, runpy; real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'ensurepip' else real(name, *rest)\n"
        "sys.argv = ['install.py', 'run']; runpy.run_path('lock/install.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()
