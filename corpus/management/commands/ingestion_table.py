"""Ingest a folder into a collection of its own and print what became of each file, against what was expected of it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Max, Sum

from corpus.management.choosing import collection_made, domain_made
from corpus.management.working import summary_of, work_on
from corpus.models import Chunk, Collection, SourceFile
from corpus.source_folder import look_through
from corpus.upload import FolderReport, take_in_folder

COLUMNS = ("file", "state", "pages", "pages with text", "passages", "seconds", "peak MB", "expected", "cause")


class Command(BaseCommand):
    """Print a table of what became of each file of a folder."""

    help = (
        "Ingest a folder into a collection of its own and print a table: state, pages, pages with text, seconds, peak memory, "
        "and what manifest.jsonl in the folder expects (fields file, expect)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path)
        parser.add_argument("--domain", default="ingestion-table", help="the domain's slug; it is made if there is none")
        parser.add_argument("--ocr", choices=Collection.Ocr.values, default=Collection.Ocr.NEVER)
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help="files side by side")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ingest and tell."""
        root: Path = options["folder"].resolve()
        if not root.is_dir():
            raise CommandError(f"{root} is not a folder.")
        collection = collection_made(domain_made(options["domain"]), f"{root.parent.name}-{root.name}")
        Collection.objects.filter(pk=collection.pk).update(ocr=options["ocr"])
        report = take_in_folder(collection, look_through(root, excluded=["manifest.jsonl"]))
        files = SourceFile.objects.held().filter(collection=collection)
        work_on(files, workers=max(1, options["workers"]), out=self.stderr)  # type: ignore[arg-type]
        rows = [*_held_rows(files, _expected(root)), *_refused_rows(report, _expected(root))]
        rows.sort(key=lambda row: str(row["file"]))
        for line in _as_lines(rows, as_json=options["json"]):
            self.stdout.write(line)
        if not options["json"]:
            self.stdout.write(f"\n{len(rows)} files: {summary_of(files)}, {report.count('refused')} refused")


def _held_rows(files: Any, expected: dict[str, str]) -> list[dict[str, Any]]:
    rows = []
    for file in files.annotate(took_ms=Sum("attempts__took_ms"), peak=Max("attempts__peak_bytes")).order_by("path"):
        read = sum(page.get("kind") in {"native", "ocr"} for page in file.pages)
        rows.append(
            {
                "file": file.path,
                "state": file.state,
                "pages": file.page_count or "",
                "pages with text": read if file.pages else "",
                "passages": Chunk.objects.filter(source_file=file).count(),
                "seconds": round((file.took_ms or 0) / 1000, 1),
                "peak MB": (file.peak or 0) // (1024 * 1024),
                "expected": expected.get(file.path, ""),
                "cause": file.state_detail.get("cause", ""),
            }
        )
    return rows


def _refused_rows(report: FolderReport, expected: dict[str, str]) -> list[dict[str, Any]]:
    blank = dict.fromkeys(COLUMNS, "")
    return [
        blank | {"file": one.path, "state": one.change, "expected": expected.get(one.path, ""), "cause": one.cause}
        for one in report.taken_in
        if one.change in {"refused", "ignored"}
    ]


def _expected(root: Path) -> dict[str, str]:
    place = root / "manifest.jsonl"
    if not place.is_file():
        return {}
    rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {str(row.get("file", "")): str(row.get("expect", "")) for row in rows if isinstance(row, dict)}


def _as_lines(rows: list[dict[str, Any]], *, as_json: bool) -> list[str]:
    if as_json:
        return [json.dumps(row, ensure_ascii=False) for row in rows]
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)]
    cells = ([str(row[name]).replace("|", "\\|").replace("\n", " ") for name in COLUMNS] for row in rows)
    return [*lines, *(f"| {' | '.join(row)} |" for row in cells)]
