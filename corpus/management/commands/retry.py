"""Try again what failed, waits or is incomplete."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus import ingestion
from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.management.working import summary_of, work_on
from corpus.models import Collection, SourceFile


class Command(BaseCommand):
    """Try again what failed, waits or is incomplete."""

    help = "Try files again that failed, wait for OCR or a password, were cancelled or are incomplete."

    requires_system_checks: tuple[str, ...] = ()  # they load every page and endpoint, for nothing here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser)
        parser.add_argument(
            "--ocr", choices=Collection.Ocr.values, default="", help="read these pages of the files by OCR from now on"
        )
        parser.add_argument("--password-file", type=Path, help="a file that holds the password of protected files")
        parser.add_argument("--wait", action="store_true", help="do the work here, and return when it is done")
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help="with --wait: files side by side")

    def handle(self, *args: Any, **options: Any) -> None:
        """Queue, and with --wait do the work."""
        ids = list(chosen_files(options).values_list("pk", flat=True))
        files = SourceFile.objects.filter(pk__in=ids)
        count = ingestion.retry(files, password=_password(options["password_file"]), ocr=options["ocr"])
        self.stdout.write(f"{count} files are tried again.")
        if options["wait"]:
            work_on(files, workers=max(1, options["workers"]), out=self.stdout)  # type: ignore[arg-type]
            self.stdout.write(summary_of(files))


def _password(place: Path | None) -> str:
    if place is None:
        return ""
    try:
        return place.read_text(encoding="utf-8").rstrip("\n")
    except OSError as error:
        raise CommandError(f"{place} can't be read ({error.strerror}).") from error
