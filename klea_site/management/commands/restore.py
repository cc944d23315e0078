from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from klea_site.database_session import database_session
from klea_site.embedded_postgres import EmbeddedPostgresError
from klea_site.instance import StartError, only_instance
from klea_site.open_connections import close_connections
from klea_site.restore import restore


class Command(BaseCommand):
    """Read a backup into an empty data folder."""

    help = "Read a backup into an empty data folder (VAR, KLEA_VAR) and an empty database. Klea must not be running on it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path, help="the file that `backup` wrote")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Restore it and bring its tables up to date."""
        source: Path = options["file"].expanduser().resolve()
        try:
            with only_instance(settings.VAR, address="restore"), database_session() as url:
                try:
                    manifest = restore(source, url=url, var=settings.VAR)
                    call_command("migrate", interactive=False, verbosity=0)
                finally:
                    close_connections()
        except (StartError, EmbeddedPostgresError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"The backup of {manifest['made_at']} is restored in {settings.VAR}: the database and {manifest['files']} files. "
            "Start Klea; the keyword indexes are built again by themselves."
        )
