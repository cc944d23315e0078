"""Check the passages of a collection by five rules, and show samples of them."""

from __future__ import annotations

import dataclasses
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from corpus.core.linting.store_report import StoredChunk, StoreReport, lint_store, sample_windows
from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.models import Chunk


class Command(BaseCommand):
    """Check passages by five rules, and show samples."""

    help = "Check the passages of files by five rules (too short, metadata missing, no file, no text, odd year) and show samples."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser, states=False)
        parser.add_argument("--samples", type=int, default=3, help="windows of three passages at evenly spaced places; 0: none")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and tell."""
        files = chosen_files(options | {"state": None})
        chunks = [stored(chunk) for chunk in Chunk.objects.filter(source_file__in=files).order_by("source_file__path", "ordinal")]
        report = lint_store(chunks)
        windows = [[chunks[place] for place in window] for window in sample_windows(len(chunks), max(0, options["samples"]))]
        self.stdout.write(as_json(report, windows) if options["json"] else report.as_text(windows))


def stored(chunk: Chunk) -> StoredChunk:
    """Return a chunk as the rules see it."""
    return StoredChunk(chunk.text, {**chunk.metadata, "headings": chunk.headings})


def as_json(report: StoreReport, windows: list[list[StoredChunk]]) -> str:
    """Return the report and the samples as JSON."""
    samples = [[{"text": chunk.text, **chunk.metadata} for chunk in window] for window in windows]
    return json.dumps(dataclasses.asdict(report) | {"clean": report.is_clean, "samples": samples}, ensure_ascii=False, indent=2)
