"""The runner itself: other folders, names that come twice, suites that nobody runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases import registry
from tests.cases.collection import Suite, load_suites


def write(folder: Path, name: str, suites: dict[str, object]) -> None:
    (folder / name).write_text(json.dumps({"meta": {}, "suites": suites}), encoding="utf-8")


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ADAPTERS", {})


def test_every_file_of_a_folder_is_read(tmp_path: Path) -> None:
    write(tmp_path, "one.json", {"a": {"about": "x", "tolerance": 1, "cases": [{"name": "n"}]}})
    write(tmp_path, "two.json", {"a": {"cases": []}, "b": {"cases": [{"input": 1}]}})
    suites = load_suites(tmp_path)
    assert [(suite.file, suite.name, len(suite.cases)) for suite in suites] == [("one", "a", 1), ("two", "a", 0), ("two", "b", 1)]
    assert suites[0].facts == {"about": "x", "tolerance": 1}


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text("[]", encoding="utf-8")
    with pytest.raises(TypeError, match=r"odd\.json"):
        load_suites(tmp_path)


def test_a_name_that_comes_twice_gets_a_number() -> None:
    suite = Suite("f", "s", cases=({"name": "n"}, {"name": "n"}, {}))
    assert [case_id for case_id, _ in suite.identified()] == ["f::s::n", "f::s::n#2", "f::s::3"]


@pytest.mark.usefixtures("own_registry")
def test_a_suite_without_adapter_is_listed_with_its_cases() -> None:
    @registry.runs("half", when=lambda case: "doi" in case["input"])
    def adapter(_case: object, _suite: object) -> None: ...

    half = Suite("f", "half", cases=({"name": "a", "input": {"doi": 1}}, {"name": "b"}))
    assert registry.adapter_of(half, half.cases[0]) is adapter
    assert registry.without_adapter([half, Suite("f", "none", cases=({}, {}))]) == [
        "f::half (1 of 2 cases: b)",
        "f::none (2 cases)",
    ]


@pytest.mark.usefixtures("own_registry")
def test_an_adapter_may_be_bound_to_one_file() -> None:
    @registry.runs("improve", file="one")
    def adapter(_case: object, _suite: object) -> None: ...

    assert registry.adapter_of(Suite("one", "improve"), {}) is adapter
    assert registry.adapter_of(Suite("two", "improve"), {}) is None
