"""Slow down guessing: after some failures by one address or for one name, nobody is let in for a while.

The count is in the database, so it holds for all web processes together and over a restart.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Final

from django.http import HttpRequest
from django.utils import timezone

from klea_site.models import FailedSignIn

WINDOW: Final = timedelta(minutes=10)
MAX_FAILURES: Final = {"address": 20, "name": 50}
_KEY_CHARACTERS = 200


def keys_of(request: HttpRequest, *, name: str = "") -> list[str]:
    """Return what an attempt is counted by: its address and, for a password, the name that was typed."""
    found = [f"address:{request.META.get('REMOTE_ADDR', '')}"]
    return [key[:_KEY_CHARACTERS] for key in ([*found, f"name:{name.lower()}"] if name else found)]


def seconds_to_wait(keys: list[str]) -> int:
    """Return after how many seconds another attempt is heard; 0 is now."""
    now = timezone.now()
    waits = [0.0]
    for key in keys:
        most = MAX_FAILURES[key.partition(":")[0]]
        recent = FailedSignIn.objects.filter(key=key, failed_at__gt=now - WINDOW).order_by("-failed_at")
        if (oldest_that_counts := recent.values_list("failed_at", flat=True)[most - 1 : most].first()) is not None:
            waits.append((oldest_that_counts + WINDOW - now).total_seconds())
    return math.ceil(max(waits))


def note_failure(keys: list[str]) -> None:
    """Count a failed attempt and drop what no longer counts."""
    FailedSignIn.objects.filter(failed_at__lte=timezone.now() - WINDOW).delete()
    FailedSignIn.objects.bulk_create(FailedSignIn(key=key) for key in keys)
