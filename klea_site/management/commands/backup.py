from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from klea_site.backup import write_backup
from klea_site.database_session import database_session
from klea_site.embedded_postgres import EmbeddedPostgresError
from klea_site.instance import StartError
from klea_site.open_connections import close_connections


class Command(BaseCommand):
    """Write all data to one file, while Klea runs or not."""

    help = "Write the database, the held files and the secret key to one file. Klea may be running."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", nargs="?", default="", help="the file to write, or a folder for one named by the time")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write it."""
        named = Path(options["file"] or ".").expanduser().resolve()
        target = named / f"klea-{timezone.now():%Y%m%d-%H%M%S}.tar" if named.is_dir() else named
        try:
            with database_session() as url:
                try:
                    manifest = write_backup(target, url=url, var=settings.VAR)
                finally:
                    close_connections()
        except (StartError, EmbeddedPostgresError) as error:
            raise CommandError(str(error)) from error
        size_mb = target.stat().st_size / 1e6
        self.stdout.write(
            f"{target}: the database and {manifest['files']} files, {size_mb:.1f} MB. It holds secrets: keep it safe."
        )
