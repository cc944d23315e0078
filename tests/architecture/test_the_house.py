"""The rules of the house, as tests: imports, sizes, names, types, style, migrations, settings."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ["klea_site", "corpus", "retrieval", "chat"]
FORBIDDEN_NAMES = {
    "utils",
    "helpers",
    "common",
    "base",
    "misc",
    "services",
    "managers",
    "signals",
    "selectors",
    "constants",
}
HEAVY = [
    "docling",
    "torch",
    "transformers",
    "sentence_transformers",
    "onnxruntime",
    "tantivy",
    "anthropic",
    "ollama",
    "scipy",
    "pandas",
    "cv2",
]
LONG_FILES: set[str] = set()
LONG_FUNCTIONS: set[str] = set()


def sources() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_no_file_is_longer_than_300_lines() -> None:
    long = {str(p.relative_to(ROOT)) for p in sources() if len(p.read_text(encoding="utf-8").splitlines()) > 300}
    assert long == LONG_FILES


def test_no_function_is_longer_than_60_lines() -> None:
    long = set()
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > 60:
                long.add(f"{path.relative_to(ROOT)}:{node.name}")
    assert long == LONG_FUNCTIONS


def test_files_are_named_for_a_subject() -> None:
    assert [p for p in sources() if p.stem in FORBIDDEN_NAMES or p.parent.name in FORBIDDEN_NAMES] == []


def test_imports_keep_their_direction() -> None:
    found = run(str(Path(sys.executable).parent / "lint-imports"), "--no-cache")
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_style_is_kept() -> None:
    found = run(sys.executable, "-m", "ruff", "check", "--no-cache", ".")
    assert found.returncode == 0, found.stdout


def test_the_format_is_kept() -> None:
    found = run(sys.executable, "-m", "ruff", "format", "--check", "--no-cache", ".")
    assert found.returncode == 0, found.stdout


def test_types_hold_under_strict_mypy() -> None:
    found = run(sys.executable, "-m", "mypy")
    assert found.returncode == 0, found.stdout[-6000:]


@pytest.mark.django_db
def test_migrations_are_in_step_with_the_models() -> None:
    from django.core.management import call_command

    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_checking_the_site_imports_no_heavy_library() -> None:
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE']='tests.settings'; import django; django.setup();"
        "from django.core.checks import run_checks; run_checks(); import klea_site.pipelines;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    found = run(sys.executable, "-c", code)
    assert found.stdout.strip() == "[]", found.stdout + found.stderr


def test_every_environment_variable_is_documented() -> None:
    readers = {"text", "flag", "number", "listed"}
    tree = ast.parse((ROOT / "klea_site" / "settings.py").read_text(encoding="utf-8"))
    names = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in readers
        if node.args and isinstance(node.args[0], ast.Constant)
    }
    told = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert {name for name in names if f"`{name}`" not in told} == set()


def test_nothing_is_pickled() -> None:
    assert [p for p in sources() if "import pickle" in p.read_text(encoding="utf-8")] == []
