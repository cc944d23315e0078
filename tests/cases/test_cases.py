"""Runs the conformance cases: one test a case, under the id file::suite::case.

`pytest tests/cases --cases DIR` takes any folder of case files; the default is the project's own copy.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.cases.collection import OWN_CASES, Case, Suite, load_suites
from tests.cases.deviations import DEVIATIONS, Deviation, deviation_of
from tests.cases.registry import Adapter, adapter_of, load_adapters, without_adapter

CASE_AND_SUITE = 2
NEED_THE_DATABASE = {"db", "two_teams"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" not in metafunc.fixturenames:
        return
    load_adapters()
    found = [
        pytest.param(adapter, case, suite, id=case_id, marks=marks_of(adapter))
        for suite in load_suites(Path(metafunc.config.getoption("--cases")))
        for case_id, case in suite.identified()
        if (adapter := adapter_of(suite, case)) is not None
    ]
    metafunc.parametrize(("adapter", "case", "suite"), found)


def wanted_by(adapter: Adapter) -> list[str]:
    return list(inspect.signature(adapter).parameters)[CASE_AND_SUITE:]


def marks_of(adapter: Adapter) -> list[pytest.MarkDecorator]:
    """The database is made only for tests that are known to need it when they are collected."""
    return [pytest.mark.django_db] if NEED_THE_DATABASE & set(wanted_by(adapter)) else []


def test_case(adapter: Adapter, case: Case, suite: Suite, request: pytest.FixtureRequest) -> None:
    fixtures = {name: request.getfixturevalue(name) for name in wanted_by(adapter)}
    deviation = deviation_of(suite.name, str(case.get("name")))
    if deviation is None:
        adapter(case, suite, **fixtures)
        return
    _run_with_deviation(adapter, case, suite, fixtures, deviation)


def _run_with_deviation(adapter: Adapter, case: Case, suite: Suite, fixtures: dict[str, object], deviation: Deviation) -> None:
    try:
        adapter(case, suite, **fixtures)
    except (AssertionError, pytest.fail.Exception):
        ours = {key: value for key, value in case.items() if key != "raises"} | {"expect": deviation.ours}
        adapter(ours, suite, **fixtures)


def test_suites_without_adapter_are_listed(request: pytest.FixtureRequest) -> None:
    load_adapters()
    missing = without_adapter(load_suites(Path(request.config.getoption("--cases"))))
    if missing:
        pytest.skip(f"{len(missing)} suites have cases that no adapter runs; the end of the report lists them")


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda entry: f"{entry.suite}::{entry.case}")
def test_a_deviation_names_a_case_and_its_reason(deviation: Deviation) -> None:
    cases = {(suite.name, case.get("name")): case for suite in load_suites(OWN_CASES) for case in suite.cases}
    assert (deviation.suite, deviation.case) in cases, "the deviation names no case of the project's own copy"
    assert len(deviation.reason) > 30
    assert cases[deviation.suite, deviation.case].get("expect") != deviation.ours
