"""Write what was proposed for an entry, and let the entry's values follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from corpus.core.choosing import PERSON, Choice, Proposal, choose, doubt_of, values_of
from corpus.models import Candidate, MetadataEntry


def propose(entry: MetadataEntry, proposals: Iterable[Proposal], *, tiers: Iterable[str]) -> MetadataEntry:
    """Replace the machine candidates of some tiers and settle the entry anew; what a person proposed stays.

    Args:
        entry: the entry; it is locked while this runs.
        proposals: the new candidates, all of them of one of `tiers`.
        tiers: the tiers that were asked now; their former candidates go. ``person`` is never replaced.

    Returns:
        The entry as it is now.
    """
    asked = set(tiers) - {PERSON}
    with transaction.atomic():
        locked = MetadataEntry.objects.select_for_update().get(pk=entry.pk)
        locked.candidates.filter(tier__in=asked).delete()
        Candidate.objects.bulk_create(
            Candidate(
                entry=locked,
                field=proposal.field,
                value=proposal.value,
                tier=proposal.tier,
                evidence=dict(proposal.evidence),
                score=proposal.score,
                doubt=proposal.doubt[:300],
            )
            for proposal in proposals
            if proposal.tier in asked
        )
        return settle(locked)


def settle(entry: MetadataEntry) -> MetadataEntry:
    """Choose the entry's values among its candidates and save them with the doubt that is left.

    Fields that a person decided to leave empty (`decided` names them, no candidate of a person exists) stay empty.
    """
    choices = choices_of(entry)
    values = values_of(choices)
    if values != entry.values:
        entry.version += 1
    entry.values = values
    entry.doubt = doubt_of(choices, [finding.get("severity", "") for finding in entry.findings])
    entry.save(update_fields=["values", "doubt", "version", "updated"])
    return entry


def choices_of(entry: MetadataEntry) -> dict[str, Choice]:
    """Return the choice for each field, with its rivals."""
    emptied = {name for name, decision in entry.decided.items() if decision.get("empty")}
    return choose(proposal for proposal in proposals_of(entry.candidates.order_by("pk")) if proposal.field not in emptied)


def proposals_of(candidates: Iterable[Candidate]) -> Sequence[Proposal]:
    """Read candidates' rows as values."""
    return [Proposal(row.field, row.value, row.tier, _evidence(row.evidence), row.score, row.doubt) for row in candidates]


def _evidence(value: Any) -> dict[str, Any]:  # JSON
    return value if isinstance(value, dict) else {}
