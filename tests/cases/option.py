"""The option `--cases DIR` of pytest, and the summary of what has no adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.collection import OWN_CASES, load_suites
from tests.cases.registry import load_adapters, without_adapter

pytest.register_assert_rewrite("tests.cases.adapters")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cases",
        metavar="DIR",
        default=str(OWN_CASES),
        help="folder of conformance case files (*.json) that tests/cases runs; default: the project's own copy",
    )


def pytest_configure(config: pytest.Config) -> None:
    folder = Path(config.getoption("--cases"))
    if not folder.is_dir():
        raise pytest.UsageError(f"--cases {folder}: there is no such folder; give one with case files (*.json)")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """List the suites that no adapter runs, when the cases were part of the run."""
    if "tests/cases" not in " ".join(config.args) and not any("tests/cases" in key for key in _reported(terminalreporter)):
        return
    load_adapters()
    missing = without_adapter(load_suites(Path(config.getoption("--cases"))))
    terminalreporter.section(f"conformance cases of {config.getoption('--cases')}")
    if not missing:
        terminalreporter.line("every suite has an adapter")
    for line in missing:
        terminalreporter.line(f"no adapter: {line}")


def _reported(reporter: pytest.TerminalReporter) -> list[str]:
    return [getattr(report, "nodeid", "") for reports in reporter.stats.values() for report in reports]
