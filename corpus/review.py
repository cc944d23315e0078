"""What a curator decides about metadata: each verb checks permission, changes, and writes the event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from corpus import lookup
from corpus.access import require
from corpus.blobs import BytesMissing
from corpus.candidates import settle
from corpus.consulting import describe_anew
from corpus.core.choosing import PERSON
from corpus.models import Candidate, MetadataEntry, ReviewEvent, Role
from corpus.relabelling import relabel

after_decision: list[Callable[[int], None]] = []
"""Called with the source file's id after a decision is committed; the site wakes the pipeline here."""


class EntryChanged(Exception):  # noqa: N818 -- an outcome that the curator must see
    """Somebody else changed the entry since it was shown; nothing was saved.

    Attributes:
        advice: who changed it and what to do.
    """

    retryable = False

    def __init__(self, entry: MetadataEntry) -> None:
        last = (
            ReviewEvent.objects.filter(source_file_id=entry.source_file_id, actor__isnull=False).select_related("actor").first()
        )
        who = str(last.actor) if last and last.actor else "Klea"
        super().__init__(f"{who} changed this entry in the meantime.")
        self.advice = "Your changes were not saved. Look at the present values and apply yours again."


def accept(user: User, entry_id: int, *, version: int | None = None) -> MetadataEntry:
    """Confirm the values as they are; a file that waited for review goes on."""
    return _decide(user, entry_id, "accept", version, _set_review(MetadataEntry.Review.ACCEPTED))


def skip(user: User, entry_id: int, *, version: int | None = None) -> MetadataEntry:
    """Put the entry off; it comes back at the end of the queue."""
    return _decide(user, entry_id, "skip", version, _set_review(MetadataEntry.Review.SKIPPED))


def reopen(user: User, entry_id: int, *, version: int | None = None) -> MetadataEntry:
    """Take an accepted or skipped entry back into the queue."""
    return _decide(user, entry_id, "reopen", version, _set_review(MetadataEntry.Review.PROPOSED))


def edit(user: User, entry_id: int, values: dict[str, Any], *, version: int | None = None) -> MetadataEntry:
    """Set fields by hand; they are never overwritten by a machine. An empty value empties the field.

    Args:
        user: a curator of the domain.
        entry_id: the entry.
        values: field to value; fields that aren't named stay as they are. Names with a leading underscore are derived.
        version: the version that the curator saw; None doesn't check.

    Raises:
        EntryChanged: the entry has another version by now.
        ValueError: a field name is derived or empty.
        Http404, PermissionDenied: as `corpus.access.require`.
    """
    if bad := [name for name in values if not name or name.startswith("_")]:
        raise ValueError(f"These fields can't be set by hand: {', '.join(bad) or 'a field without a name'}.")
    return _decide(user, entry_id, "edit", version, lambda entry: _set_by_hand(entry, user, values))


def choose(user: User, candidate_id: int, *, version: int | None = None) -> MetadataEntry:
    """Take a candidate's value as the person's own decision."""
    candidate = Candidate.objects.visible_to(user).get(pk=candidate_id)
    return edit(user, candidate.entry_id, {candidate.field: candidate.value}, version=version)


def release(user: User, entry_id: int, field: str, *, version: int | None = None) -> MetadataEntry:
    """Give a field back to the machine: the person's decision goes, the best candidate counts again."""
    return _decide(user, entry_id, "release", version, lambda entry: _forget_decision(entry, field))


def undo(user: User, entry_id: int) -> MetadataEntry:
    """Take back the last decision about the entry, whoever made it.

    Raises:
        LookupError: there is nothing to take back.
    """
    entry = _visible(user, entry_id)
    events = ReviewEvent.objects.filter(source_file_id=entry.source_file_id, heading=entry.heading, actor__isnull=False)
    last = next((event for event in events.exclude(verb="undo") if not event.after.get("undone")), None)
    if last is None:
        raise LookupError("There is no decision to take back.")
    before = last.before
    restored = _decide(user, entry_id, "undo", None, lambda one: _restore(one, before))
    last.after = {**last.after, "undone": True}
    last.save(update_fields=["after"])
    return restored


def look_up(user: User, entry_id: int) -> tuple[MetadataEntry, tuple[str, ...]]:
    """Ask the registrars again, also those that asked to wait; returns the entry and who didn't answer.

    Raises:
        LookupError: no service is switched on, or the file has no stored conversion.
    """
    entry = _visible(user, entry_id)
    require(user, entry.source_file.collection.domain, Role.CURATOR)
    if not lookup.switched_on():
        raise LookupError("No bibliographic service is switched on. The operator sets KLEA_MAILTO to allow it.")
    lookup.forget_back_off()
    try:
        consulted = describe_anew(entry)
    except BytesMissing as error:
        raise LookupError("The file's conversion is gone. Convert it again, then look it up.") from error
    entry.refresh_from_db()
    relabel(entry.source_file)
    return entry, consulted.unanswered


def accept_below(user: User, entries: QuerySet[MetadataEntry], doubt: float) -> int:
    """Accept every waiting entry of `entries` whose doubt is at most `doubt`; returns how many."""
    waiting = entries.filter(review=MetadataEntry.Review.PROPOSED, doubt__lte=doubt).values_list("pk", flat=True)
    return len([accept(user, pk) for pk in list(waiting)])


def queue(user: User) -> QuerySet[MetadataEntry]:
    """Return the entries that wait for the user, the most doubtful first, skipped ones last."""
    from corpus.access import domains_with_role

    waiting = [MetadataEntry.Review.PROPOSED, MetadataEntry.Review.SKIPPED]
    mine = MetadataEntry.objects.filter(
        review__in=waiting,
        heading=MetadataEntry.DEFAULT,
        source_file__collection__domain__in=domains_with_role(user, Role.CURATOR),
    )
    return (
        mine.exclude(source_file__state="removed")
        .select_related("source_file__collection__domain")
        .order_by("review", "-doubt", "pk")
    )


def _decide(user: User, entry_id: int, verb: str, version: int | None, change: Callable[[MetadataEntry], None]) -> MetadataEntry:
    seen = _visible(user, entry_id)
    require(user, seen.source_file.collection.domain, Role.CURATOR)
    with transaction.atomic():
        rows = MetadataEntry.objects.select_for_update(of=("self",)).select_related("source_file")
        entry: MetadataEntry = rows.get(pk=entry_id)
        if version is not None and entry.version != version:
            raise EntryChanged(entry)
        before = _snapshot(entry)
        change(entry)
        entry.version += 1
        entry.save()
        settle(entry)
        ReviewEvent.objects.create(
            source_file=entry.source_file, actor=user, verb=verb, heading=entry.heading, before=before, after=_snapshot(entry)
        )
        relabel(entry.source_file)
        source_file_id = entry.source_file_id
        transaction.on_commit(lambda: _tell(source_file_id))
    return entry


def _tell(source_file_id: int) -> None:
    for listener in after_decision:
        listener(source_file_id)


def _visible(user: User, entry_id: int) -> MetadataEntry:
    from django.shortcuts import get_object_or_404

    rows = MetadataEntry.objects.visible_to(user).select_related("source_file__collection__domain")
    entry: MetadataEntry = get_object_or_404(rows, pk=entry_id)
    return entry


def _set_review(state: str) -> Callable[[MetadataEntry], None]:
    def change(entry: MetadataEntry) -> None:
        entry.review = state

    return change


def _set_by_hand(entry: MetadataEntry, user: User, values: dict[str, Any]) -> None:
    now = timezone.now().isoformat()
    for field, value in values.items():
        empty = value in (None, "", [])
        entry.candidates.filter(tier=PERSON, field=field).delete()
        if not empty:
            Candidate.objects.create(
                entry=entry, field=field, value=value, tier=PERSON, score=1.0, evidence={"person": user.get_username()}
            )
        entry.decided[field] = {"by": user.get_username(), "at": now, "empty": empty}


def _forget_decision(entry: MetadataEntry, field: str) -> None:
    entry.decided.pop(field, None)
    entry.candidates.filter(tier=PERSON, field=field).delete()


def _snapshot(entry: MetadataEntry) -> dict[str, Any]:
    by_hand = {row.field: row.value for row in entry.candidates.filter(tier=PERSON)}
    return {"values": entry.values, "decided": entry.decided, "review": entry.review, "by_hand": by_hand}


def _restore(entry: MetadataEntry, before: dict[str, Any]) -> None:
    entry.candidates.filter(tier=PERSON).delete()
    Candidate.objects.bulk_create(
        Candidate(entry=entry, field=field, value=value, tier=PERSON, score=1.0) for field, value in before["by_hand"].items()
    )
    entry.decided = before["decided"]
    entry.review = before["review"]
