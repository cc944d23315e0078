#!/usr/bin/env python
"""Klea's command line."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "klea_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from klea_site.database_session import database_for
    from klea_site.embedded_postgres import EmbeddedPostgresError

    try:
        with database_for(sys.argv[1] if len(sys.argv) > 1 else ""):
            execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, EmbeddedPostgresError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"klea: {error}")


if __name__ == "__main__":
    main()
