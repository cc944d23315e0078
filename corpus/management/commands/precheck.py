"""Say which PDFs of a folder need OCR, without taking anything in."""

from __future__ import annotations

import json
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.conversion_process import ConversionProcess
from corpus.converter import ConversionError
from corpus.converting import process_here
from corpus.core.page_text import OcrNeed, format_report, ocr_need
from corpus.core.source_selection import OCR_FOLDERS, select_pdfs
from corpus.source_folder import FoundFile, FoundFolder, look_through

TELL_EVERY = 10


class Command(BaseCommand):
    """Say which PDFs of a folder need OCR."""

    help = "Say which PDFs of a folder need OCR. With --organise, copy the files into ocr/ and no-ocr/ beside them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path)
        parser.add_argument("--organise", action="store_true", help="copy (never move) the files into ocr/ and no-ocr/")
        parser.add_argument("--json", action="store_true", help="print JSON, with the facts of each page")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look, tell, and copy where asked."""
        root: Path = options["folder"]
        try:
            folder = look_through(root)
        except NotADirectoryError as error:
            raise CommandError(str(error)) from error
        chosen = set(select_pdfs(file.path for file in folder.files))
        pdfs = [file for file in folder.files if file.path in chosen]
        found = list(self._looked_at(pdfs, quiet=options["json"]))
        if options["json"]:
            self.stdout.write(json.dumps([_as_json(*row) for row in found], ensure_ascii=False, indent=2))
        else:
            self.stdout.write(format_report((file.path, need) for file, need, _ in found))
        if options["organise"]:
            self._organise(root, folder, {file.path: need for file, need, _ in found}, quiet=options["json"])

    def _looked_at(self, pdfs: list[FoundFile], *, quiet: bool) -> Iterator[tuple[FoundFile, OcrNeed, dict[str, Any]]]:
        process = process_here()
        for number, file in enumerate(pdfs, start=1):
            yield (file, *_need_of(process, file))
            if not quiet and number * TELL_EVERY // len(pdfs) > (number - 1) * TELL_EVERY // len(pdfs):
                self.stderr.write(f"{number} of {len(pdfs)}")

    def _organise(self, root: Path, folder: FoundFolder, needs: dict[str, OcrNeed], *, quiet: bool) -> None:
        taken: dict[Path, str] = {}
        for file in folder.files:
            if file.path.split("/")[0] in OCR_FOLDERS:
                continue
            need = needs.get(file.path)
            target = root / ("ocr" if need is not None and need.needs_ocr else "no-ocr") / file.place.name
            if taken.setdefault(target, file.path) != file.path:
                target = target.with_name(file.path.replace("/", "__"))
            target.parent.mkdir(exist_ok=True)
            if not (target.exists() and target.stat().st_size == file.place.stat().st_size):
                shutil.copy2(file.place, target)
        if not quiet:
            self.stdout.write(f"Next: manage.py ingest {root / 'no-ocr'} --domain D --ocr never")
            self.stdout.write(f"and:  manage.py ingest {root / 'ocr'} --domain D --collection scans --ocr auto")


def _need_of(process: ConversionProcess, file: FoundFile) -> tuple[OcrNeed, dict[str, Any]]:
    try:
        pages, _ = process.facts(str(file.place))
    except ConversionError as error:
        return ocr_need(None), {"error": str(error), "advice": error.advice}
    counted = [0 if page.kind == "gibberish" else page.characters for page in pages]
    return ocr_need(counted), {"pages": [asdict(page) for page in pages]}


def _as_json(file: FoundFile, need: OcrNeed, facts: dict[str, Any]) -> dict[str, Any]:
    told = asdict(need)
    told.pop("pages", None)
    return {"path": file.path, **told, "page_count": need.pages, **facts}
