"""Find files that break the promise of their state, and mend them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from corpus.management.choosing import add_file_arguments, chosen_files
from corpus.promises import broken_promises, mend


class Command(BaseCommand):
    """Find files that break the promise of their state."""

    help = "Find files that break the promise of their state (READY without text, missing bytes). Exit code 1: some do."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser)
        parser.add_argument("--probe", action="store_true", help="also ask every store for every READY file")
        parser.add_argument("--mend", action="store_true", help="send the files through the stages again that keep the promise")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look, tell, and mend where asked."""
        found = list(broken_promises(chosen_files(options), probe=options["probe"]))
        for broken in found:
            self.stdout.write(f"{broken.path}: {broken.what}")
        if options["mend"]:
            for since, count in mend(iter(found)).items():
                self.stdout.write(f"{count} files go through the stages from {since} on again.")
        if not found:
            self.stdout.write("Every file keeps the promise of its state.")
        elif not options["mend"]:
            sys.exit(1)
