from __future__ import annotations

from typing import Any, Final

from django.utils import timezone

from corpus.candidates import settle
from corpus.core.linting import Finding, Other, Subject, lint
from corpus.core.metadata_map import DEFAULT
from corpus.models import MetadataEntry, SourceFile, State
from corpus.relabelling import metadata_map_of
from corpus.stage import StageContext

MOST_OTHERS: Final = 5_000


class Lint:
    """Check the metadata by rules, without a model.

    Reads: metadata entries. Writes: their findings, and the doubt that follows from them.
    """

    name: Final = "lint"
    version: Final = 1
    shows: Final = State.CONVERTING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Nothing beside the metadata."""
        return {}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Run the rules on the file's entries."""
        entry, _ = MetadataEntry.objects.get_or_create(source_file=source_file, heading=DEFAULT)
        findings = lint(_subject_of(source_file))
        context.heartbeat()
        entry.findings = [finding.as_dict() for finding in findings]
        entry.save(update_fields=["findings", "updated"])
        settle(entry)
        return {"findings": _counted(findings)}


def _subject_of(source_file: SourceFile) -> Subject:
    return Subject(
        file_name=source_file.name,
        entries=metadata_map_of(source_file),
        current_year=timezone.now().year,
        retrieved_year=source_file.created.year,
        others=_others(source_file),
    )


def _others(source_file: SourceFile) -> tuple[Other, ...]:
    """Return what the collection's other files are known by."""
    entries = MetadataEntry.objects.filter(source_file__collection=source_file.collection, heading=DEFAULT)
    rows = entries.exclude(source_file=source_file).values_list("source_file__path", "values")[:MOST_OTHERS]
    return tuple(_other(path, values) for path, values in rows)


def _other(path: str, values: dict[str, Any]) -> Other:
    year = values.get("year")
    return Other(path, str(values.get("doi") or ""), str(values.get("title") or ""), year if isinstance(year, int) else None)


def _counted(findings: tuple[Finding, ...]) -> dict[str, int]:
    return {severity: sum(finding.severity == severity for finding in findings) for severity in ("error", "warning", "info")}
