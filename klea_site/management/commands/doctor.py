from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any

from django.core.checks import ERROR, WARNING, CheckMessage
from django.core.checks.registry import registry
from django.core.management.base import BaseCommand
from django.db import connections

from klea_site.doctor import TAG, database_answers_at_all

OWN = "klea_site"


class Command(BaseCommand):
    """Look for what is wrong, and say what to do."""

    help = "Look for what is wrong with this installation, and say what to do. Ends with 1 if there is an error."
    requires_system_checks = []  # it runs those that matter itself

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Run each check and print a line for it."""
        worst = 0
        for check in self._checks():
            if worst >= ERROR and not check.__module__.startswith(OWN) and not database_answers_at_all():
                continue  # what stands in the database can't be looked at
            messages = list(check(app_configs=None, databases=list(connections)))
            worst = max([worst, *(message.level for message in messages)])
            self._print(check, messages)
        if worst >= ERROR:
            sys.exit(1)

    @staticmethod
    def _checks() -> list[Callable[..., Sequence[CheckMessage]]]:
        found: list[Any] = registry.get_checks(include_deployment_checks=True)
        doctors = [check for check in found if TAG in check.tags]
        return sorted(
            doctors, key=lambda check: (not check.__module__.startswith(OWN), check.__module__, inspect.getsourcelines(check)[1])
        )

    def _print(self, check: Callable[..., Any], messages: Sequence[CheckMessage]) -> None:
        if not messages:
            self.stdout.write(f"{self.style.SUCCESS('ok')}       {(inspect.getdoc(check) or check.__name__).splitlines()[0]}")
        for message in messages:
            word, style = ("error", self.style.ERROR) if message.level >= ERROR else ("warning", self.style.WARNING)
            if message.level < WARNING:
                word, style = "note", self.style.NOTICE
            self.stdout.write(f"{style(word)}{' ' * (9 - len(word))}{message.msg}")
            if message.hint:
                self.stdout.write(f"         {message.hint}")
