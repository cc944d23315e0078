"""Which adapter runs which case.

An adapter is a function `(case, suite, …fixtures)` that gives the case's input to our code and asserts the expected outcome.
One file an area stands in `adapters/`; each is found by walking that folder.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.cases.collection import Case, Suite

Adapter = Callable[..., None]


@dataclass(frozen=True)
class Registered:
    """An adapter, and the condition under which it takes a case of the suite."""

    adapter: Adapter
    when: Callable[[Case], bool]
    file: str | None


_ADAPTERS: dict[str, list[Registered]] = {}


def runs(
    *suites: str, when: Callable[[Case], bool] = lambda _case: True, file: str | None = None
) -> Callable[[Adapter], Adapter]:
    """Register an adapter for suites by name.

    `when` picks the cases it takes, where a suite is shared by several areas (such as `improve`); `file` is the stem of a case
    file, where two files use one suite name for different things.
    """

    def register(adapter: Adapter) -> Adapter:
        for suite in suites:
            _ADAPTERS.setdefault(suite, []).append(Registered(adapter, when, file))
        return adapter

    return register


def load_adapters() -> None:
    """Import every module of `adapters/`, so that each registers itself."""
    adapters = importlib.import_module("tests.cases.adapters")
    for module in pkgutil.walk_packages(adapters.__path__, adapters.__name__ + "."):
        importlib.import_module(module.name)


def adapter_of(suite: Suite, case: Case) -> Adapter | None:
    """Return the adapter that takes the case, if there is one."""
    for registered in _ADAPTERS.get(suite.name, []):
        if registered.file in {None, suite.file} and _holds(registered.when, case):
            return registered.adapter
    return None


def without_adapter(suites: list[Suite]) -> list[str]:
    """Say, suite by suite, which cases nobody runs: `file::suite (n cases)`, or the names where some are run."""
    lines = []
    for suite in suites:
        missing = [case_id.split("::", 2)[2] for case_id, case in suite.identified() if adapter_of(suite, case) is None]
        if missing and len(missing) == len(suite.cases):
            lines.append(f"{suite.file}::{suite.name} ({len(missing)} cases)")
        elif missing:
            lines.append(f"{suite.file}::{suite.name} ({len(missing)} of {len(suite.cases)} cases: {', '.join(missing)})")
    return lines


def _holds(when: Callable[[Case], Any], case: Case) -> bool:
    """A condition that looks for a key which this case lacks does not hold."""
    try:
        return bool(when(case))
    except (KeyError, TypeError, AttributeError):
        return False
