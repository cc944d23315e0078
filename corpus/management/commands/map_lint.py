"""Check metadata by rules: a map file against a folder, or what is stored."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from corpus.core.linting.map_report import lint_map
from corpus.core.metadata_map import MetadataMap, read_metadata_map
from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.models import MetadataEntry
from corpus.source_folder import look_through


class Command(BaseCommand):
    """Check metadata by rules."""

    help = (
        "Check metadata by rules: a metadata map file (with --folder: against the files there), or what is stored. "
        "Exit code 1: a source file has no entry."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("map", type=Path, nargs="?", help="a metadata map in JSON; without it, the stored metadata")
        parser.add_argument("--folder", type=Path, help="the folder of the map's source files")
        add_file_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and tell."""
        place: Path | None = options["map"]
        entries = _read(place) if place else _stored(options)
        report = lint_map(entries, current_year=timezone.now().year, source_files=_sources(place, options))
        told = json.dumps(report.as_dict(), ensure_ascii=False, indent=2, default=str) if options["json"] else report.as_text()
        self.stdout.write(told)
        if report.exit_code:
            sys.exit(report.exit_code)


def _read(place: Path) -> MetadataMap:
    try:
        return read_metadata_map(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{place} can't be read as a metadata map ({error}).") from error


def _stored(options: dict[str, Any]) -> MetadataMap:
    entries = MetadataEntry.objects.filter(source_file__in=chosen_files(options)).select_related("source_file")
    found: MetadataMap = {}
    for entry in entries.order_by("source_file__path", "heading"):
        found.setdefault(entry.source_file.path, {})[entry.heading] = dict(entry.values)
    return found


def _sources(place: Path | None, options: dict[str, Any]) -> list[str] | None:
    if place is None:
        return list(chosen_files(options).values_list("path", flat=True))
    if options["folder"] is None:
        return None
    if not options["folder"].is_dir():
        raise CommandError(f"{options['folder']} is not a folder.")
    found = look_through(options["folder"], excluded=[place.name])
    return [file.path.rsplit("/", 1)[-1] for file in found.files]
