"""Check the passages of a collection by five rules, and show samples of them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.passage_check import check_passages


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
        found = check_passages(chosen_files(options | {"state": None}), samples=options["samples"])
        told = json.dumps(found.as_dict(), ensure_ascii=False, indent=2) if options["json"] else found.as_text()
        self.stdout.write(told)
