"""List source files with their states."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count

from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.management.working import line_of, summary_of


class Command(BaseCommand):
    """List source files with their states, and what to do about them."""

    help = "List source files with their states, and what to do about them."

    requires_system_checks: tuple[str, ...] = ()  # they load every page and endpoint, for nothing here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        """List."""
        files = chosen_files(options)
        for file in files.select_related("collection__domain").annotate(passages=Count("chunks")).iterator(chunk_size=500):
            if not options["json"]:
                self.stdout.write(f"{file.collection.domain.slug}/{file.collection.slug}: {line_of(file)}")
                continue
            told = {
                "id": file.pk,
                "domain": file.collection.domain.slug,
                "collection": file.collection.slug,
                "path": file.path,
                "state": file.state,
                "detail": file.state_detail,
                "stage": file.stage,
                "pages": file.page_count,
                "passages": file.passages,
            }
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        if not options["json"]:
            self.stdout.write(summary_of(files))
