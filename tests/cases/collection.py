"""Reads files of conformance cases: any folder of `*.json` of the form {"suites": {name: {"about", "cases": [...]}}}."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OWN_CASES = Path(__file__).resolve().parent.parent / "data" / "cases"

Case = dict[str, Any]


@dataclass(frozen=True)
class Suite:
    """One suite of one file: its cases, and the facts that all of them share (tolerances, corpora, fields)."""

    file: str
    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()

    def identified(self) -> list[tuple[str, Case]]:
        """Return each case with an id of its own: file::suite::name, with a number where a name comes twice."""
        names = [str(case.get("name", number)) for number, case in enumerate(self.cases, start=1)]
        seen: Counter[str] = Counter()
        found = []
        for name, case in zip(names, self.cases, strict=True):
            seen[name] += 1
            suffix = f"#{seen[name]}" if seen[name] > 1 else ""
            found.append((f"{self.file}::{self.name}::{name}{suffix}", case))
        return found


def load_suites(folder: Path) -> list[Suite]:
    """Read every suite of every case file in a folder; a file of another form is an error that names it."""
    return [suite for path in sorted(folder.glob("*.json")) for suite in _suites_of(path)]


def _suites_of(path: Path) -> list[Suite]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or not isinstance(content.get("suites"), dict):
        raise TypeError(f"{path.name} is no file of cases: it must be an object with 'suites'")
    return [
        Suite(
            file=path.stem,
            name=name,
            facts={key: value for key, value in suite.items() if key != "cases"},
            cases=tuple(suite.get("cases", ())),
        )
        for name, suite in content["suites"].items()
    ]
