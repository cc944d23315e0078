"""Ask the registrars about a work: cached answers first, one service after the other in turn, waiting when asked to.

No call leaves the machine until the operator sets a mail address (KLEA_MAILTO); each service can be left out (KLEA_REGISTRARS).
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from corpus.backend import from_settings
from corpus.core.works.merging import is_enough
from corpus.core.works.work import Related, Work
from corpus.models import RegistrarAnswer
from corpus.registrar import NotAsked, Registrar

KEEP_FOUND = timedelta(days=180)
KEEP_NOT_FOUND = timedelta(days=14)
BACK_OFF_S = 30.0
LOOKED_UP_BY_TITLE = ("crossref", "openalex", "semantic-scholar")

_turn = itertools.count()
_closed_until: dict[str, float] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class LookUp:
    """What came of asking.

    Attributes:
        works: the records found, one a service.
        unanswered: services that must be asked again later; "not found" is certain only when this is empty.
        asked: services that were really called (not answered from the cache).
    """

    works: tuple[Work, ...] = ()
    unanswered: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def by_doi(doi: str, registrars: Sequence[Registrar] | None = None) -> LookUp:
    """Look a DOI up: in turn with fallback, until the record is enough or every service was asked."""
    chosen = in_turn(switched_on() if registrars is None else registrars)
    return _ask(chosen, f"doi:{doi.lower()}", lambda one: one.by_doi(doi.lower()))


def by_title(title: str, registrars: Sequence[Registrar] | None = None) -> LookUp:
    """Look a title up, as the last resort; the caller accepts only a strict match."""
    chosen = [one for one in (switched_on() if registrars is None else registrars) if one.name in LOOKED_UP_BY_TITLE]
    return _ask(chosen, f"title:{' '.join(title.casefold().split())}"[:500], lambda one: one.by_title(title))


def switched_on() -> list[Registrar]:
    """Return the services that the operator allows; none without a mail address."""
    if not settings.MAILTO:
        return []
    return [from_settings("REGISTRARS", name) for name in settings.REGISTRARS_ON]


def in_turn(registrars: Sequence[Registrar]) -> list[Registrar]:
    """Let another of the services come first at each call, to spread the load; the others follow in fixed order."""
    if not registrars:
        return []
    first = next(_turn) % len(registrars)
    return [registrars[first], *registrars[:first], *registrars[first + 1 :]]


def forget_back_off() -> None:
    """Ask services again that asked to wait (for tests and the button "look up again")."""
    with _lock:
        _closed_until.clear()


def _ask(registrars: Sequence[Registrar], key: str, question: Callable[[Registrar], tuple[Work, ...]]) -> LookUp:
    cached = {answer.service: answer for answer in RegistrarAnswer.objects.filter(key=key, expires__gt=timezone.now())}
    works: list[Work] = []
    unanswered: list[str] = []
    asked: list[str] = []
    for registrar in sorted(registrars, key=lambda one: one.name not in cached):
        if works and is_enough(works):
            break
        if registrar.name in cached:
            works += [_from_row(row) for row in cached[registrar.name].works]
            continue
        if _is_closed(registrar.name):
            unanswered.append(registrar.name)
            continue
        try:
            found = question(registrar)
        except NotAsked as reason:
            _close(registrar.name, reason.retry_after_s)
            unanswered.append(registrar.name)
            continue
        asked.append(registrar.name)
        _keep(registrar.name, key, found)
        works += found
    return LookUp(tuple(works), tuple(unanswered), tuple(asked))


def _is_closed(service: str) -> bool:
    with _lock:
        return _closed_until.get(service, 0.0) > time.monotonic()


def _close(service: str, retry_after_s: float | None) -> None:
    with _lock:
        _closed_until[service] = time.monotonic() + (retry_after_s if retry_after_s is not None else BACK_OFF_S)


def _keep(service: str, key: str, works: tuple[Work, ...]) -> None:
    now = timezone.now()
    RegistrarAnswer.objects.update_or_create(
        service=service,
        key=key,
        defaults={
            "found": bool(works),
            "works": [asdict(work) for work in works],
            "asked": now,
            "expires": now + (KEEP_FOUND if works else KEEP_NOT_FOUND),
        },
    )


def _from_row(row: dict[str, Any]) -> Work:
    links = tuple(Related(**link) for link in row.get("related", ()))
    return Work(**{**row, "related": links})
