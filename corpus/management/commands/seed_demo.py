"""Make the demo domain: Klea's own handbook."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus import ingestion
from corpus.ingestion.settled import queue_unsettled
from corpus.management.working import summary_of, work_on
from corpus.models import Collection, Domain, SourceFile
from corpus.source_folder import look_through
from corpus.upload import take_in_folder

SLUG = "klea-handbook"
DESCRIPTION = (
    "How to use Klea itself: adding documents, reviewing metadata, asking questions, citations, users and roles, settings, "
    "the command line and the API."
)
EXAMPLES = """\
How do I add documents?
Which files can Klea read?
How do I check a source of an answer?
What does the state Partial mean?
How do I run Klea for a team?
How do I make an API key?
"""


class Command(BaseCommand):
    """Make the demo domain from docs/handbook; run again, it brings changed pages in and takes gone ones out."""

    help = "Make the demo domain from Klea's own handbook. Running it again brings it up to date."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--wait", action="store_true", help="do the work here, and return when it is done")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make or renew it."""
        handbook = settings.BASE_DIR / "docs" / "handbook"
        if not handbook.is_dir():
            raise CommandError(f"The handbook is missing ({handbook}). Get the whole project.")
        new = {"name": "Klea handbook", "description": DESCRIPTION, "example_questions": EXAMPLES}
        domain, _ = Domain.objects.get_or_create(slug=SLUG, defaults=new)
        collection, _ = Collection.objects.get_or_create(domain=domain, slug="handbook", defaults={"name": "Handbook"})
        report = take_in_folder(collection, look_through(handbook))
        ingestion.prune(collection, report.paths())
        queue_unsettled(collection)
        files = SourceFile.objects.held().filter(collection=collection)
        if options["wait"]:
            work_on(files, workers=1, out=self.stdout)  # type: ignore[arg-type]
        if options["verbosity"]:
            self.stdout.write(f"{domain}: {summary_of(files)}")
