"""Run stages of files again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus import ingestion
from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.management.working import summary_of, work_on
from corpus.models import SourceFile


class Command(BaseCommand):
    """Run stages of files again, whatever was done."""

    help = "Run the stages of files again, all of them or those from one stage on. What is stored is replaced, not doubled."

    requires_system_checks: tuple[str, ...] = ()  # they load every page and endpoint, for nothing here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser)
        parser.add_argument("--since", default="", help="the first stage to run again, such as describe, chunk or embed")
        parser.add_argument("--wait", action="store_true", help="do the work here, and return when it is done")
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help="with --wait: files side by side")

    def handle(self, *args: Any, **options: Any) -> None:
        """Queue, and with --wait do the work."""
        ids = list(chosen_files(options).values_list("pk", flat=True))
        files = SourceFile.objects.filter(pk__in=ids)
        try:
            count = ingestion.redo(files, since=options["since"])
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} files are queued.")
        if options["wait"]:
            work_on(files, workers=max(1, options["workers"]), out=self.stdout)  # type: ignore[arg-type]
            self.stdout.write(summary_of(files))
