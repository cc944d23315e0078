"""Which of some files a person may change."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied

from corpus.access import domains_with_role
from corpus.models import ReviewEvent, Role
from corpus.models.source_file import SourceFileQuerySet

type_of_actor = User | AnonymousUser | None
"""Who asks; None is the operator at the command line, who may do everything."""


def changeable(files: SourceFileQuerySet, by: type_of_actor) -> SourceFileQuerySet:
    """Keep the files that `by` sees and that are not removed.

    Raises:
        PermissionDenied: `by` sees one of them, but is no curator there.
    """
    held = files.held()
    if by is None:
        return held
    seen = held.visible_to(by)
    if seen.exclude(collection__domain__in=domains_with_role(by, Role.CURATOR)).exists():
        raise PermissionDenied("This needs the role curator. Ask a manager of the domain for it.")
    return seen


def write_events(ids: list[int], verb: str, by: type_of_actor) -> None:
    """Write who did what to each file."""
    actor = by if isinstance(by, User) else None
    ReviewEvent.objects.bulk_create(ReviewEvent(source_file_id=pk, verb=verb, actor=actor) for pk in ids)
