"""What `manage.py doctor` asks of the library."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from django.core.checks import CheckMessage, Warning  # noqa: A004 -- Django's name
from django.db import DatabaseError

from corpus.models import SourceFile
from corpus.promises import broken_promises

MOST: Final = 5


def files_keep_their_promises(**_: Any) -> list[CheckMessage]:
    """Every file keeps the promise of its state."""
    try:
        found = list(islice(broken_promises(SourceFile.objects.all()), MOST + 1))
    except DatabaseError:
        return [Warning("The files were not looked at: the database is not ready.", id="klea.D030")]
    more = " …" if len(found) > MOST else ""
    told = "; ".join(f"{broken.path}: {broken.what}" for broken in found[:MOST])
    return [Warning(told + more, hint="Run: manage.py mend_library --mend.", id="klea.D031")] if found else []
