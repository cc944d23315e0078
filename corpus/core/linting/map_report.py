"""The report on a whole metadata map: findings by file, two counters, and the two rules that look at all keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corpus.core.linting import lint
from corpus.core.linting.finding import Finding, Other, Severity, Subject
from corpus.core.metadata_map import DEFAULT
from corpus.core.text import normalize_text

SOURCE_WITHOUT_ENTRY = "source_without_entry"
KEY_NOT_A_SOURCE = "key_not_a_source"


@dataclass(frozen=True)
class MapReport:
    """What the rules say of a metadata map.

    Attributes:
        files: how many files have an entry.
        complete: how many entries are marked complete.
        findings: the findings of each file that has any.
        placeholders: how many heading entries of a file are still empty, where any are.
        missing_keys: source files without an entry; they can't be labelled.
        unknown_keys: keys that are no source file: left over, or headings in the place of file names.
    """

    files: int
    complete: int
    findings: dict[str, tuple[Finding, ...]]
    placeholders: dict[str, int]
    missing_keys: tuple[str, ...]
    unknown_keys: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """1 when a source file has no entry, else 0."""
        return 1 if self.missing_keys else 0

    def as_dict(self) -> dict[str, Any]:
        """Return the report in a form for JSON."""
        return {
            "files": self.files,
            "complete": self.complete,
            "findings": {name: [finding.as_dict() for finding in found] for name, found in self.findings.items()},
            "placeholders": self.placeholders,
            "missing_keys": list(self.missing_keys),
            "unknown_keys": list(self.unknown_keys),
            "by_code": self.by_code(),
        }

    def by_code(self) -> dict[str, int]:
        """Count the findings by code, the commonest first."""
        codes = [finding.code for found in self.findings.values() for finding in found]
        codes += [SOURCE_WITHOUT_ENTRY] * len(self.missing_keys) + [KEY_NOT_A_SOURCE] * len(self.unknown_keys)
        return dict(sorted(((code, codes.count(code)) for code in set(codes)), key=lambda row: (-row[1], row[0])))

    def as_text(self) -> str:
        """Return the report for people."""
        lines = [f"{self.files} files, {self.complete} complete, {len(self.findings)} with findings"]
        for name, found in self.findings.items():
            lines += [name, *(f"  {finding.severity:7} {finding.code}: {finding.message}" for finding in found)]
        lines += [f"{name}: {count} heading entries are empty" for name, count in self.placeholders.items()]
        lines += [f"{name}: this source file has no entry; add one" for name in self.missing_keys]
        lines += [f"{name}: this key is no source file (left over, or a heading)" for name in self.unknown_keys]
        return "\n".join(lines if len(lines) > 1 else [*lines, "No issues found."])


def lint_map(
    metadata_map: Mapping[str, Any], *, current_year: int, source_files: Iterable[str] | None = None, least: Severity = "info"
) -> MapReport:
    """Run the rules on every entry of a map.

    Args:
        metadata_map: file name -> entries.
        current_year: the year in which this runs.
        source_files: the files that are there; with None the keys are not compared to them.
        least: leave out findings that weigh less.
    """
    others = tuple(_other(name, entries) for name, entries in metadata_map.items())
    findings = {
        name: _kept(lint(Subject(name, entries, current_year, others=others)), least) for name, entries in metadata_map.items()
    }
    sources = None if source_files is None else [normalize_text(name) for name in source_files]
    return MapReport(
        files=len(metadata_map),
        complete=sum(_is_complete(entries) for entries in metadata_map.values()),
        findings={name: found for name, found in findings.items() if found},
        placeholders={name: count for name, entries in metadata_map.items() if (count := _empty_headings(entries))},
        missing_keys=tuple(name for name in sources or () if name not in metadata_map),
        unknown_keys=() if sources is None else tuple(name for name in metadata_map if name not in sources),
    )


def _kept(findings: tuple[Finding, ...], least: Severity) -> tuple[Finding, ...]:
    order = ("info", "warning", "error")
    return tuple(finding for finding in findings if order.index(finding.severity) >= order.index(least))


def _other(name: str, entries: Any) -> Other:  # whatever a map holds
    subject = Subject(name, entries, 0)
    year = subject.values.get("year")
    return Other(name, subject.text("doi"), subject.text("title"), year if isinstance(year, int) else None)


def _is_complete(entries: Any) -> bool:  # whatever a map holds
    return Subject("", entries, 0).values.get("_metadata_complete") is True


def _empty_headings(entries: Any) -> int:  # whatever a map holds
    if not isinstance(entries, Mapping):
        return 0
    return sum(key != DEFAULT and value == {} for key, value in entries.items())
