from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from klea_site.sign_in_link import make_link


class Command(BaseCommand):
    """Make a one-time sign-in link for a user."""

    help = "Make a one-time sign-in link for a user who has no password or forgot it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name, the site's address and the time."""
        parser.add_argument("name", help="the user's name")
        parser.add_argument("--site", default="http://127.0.0.1:8000", help="the address that people open (%(default)s)")
        parser.add_argument("--hours", type=int, default=1, help="how long the link can be used (%(default)s)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the link."""
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['name']}. Make one in the admin, or by: manage.py createsuperuser")
        if not user.is_active:
            raise CommandError(f"The account of {user.username} is closed. Make it active in the admin first.")
        self.stdout.write(make_link(user, site=options["site"], valid_for=timedelta(hours=options["hours"])))
