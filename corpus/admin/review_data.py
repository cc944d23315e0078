"""What the review workspace shows of a paper, as JSON."""

from __future__ import annotations

from typing import Any, Final

from corpus.candidates import choices_of
from corpus.core.choosing import PERSON, fold
from corpus.models import Candidate, MetadataEntry, ReviewEvent

FIELDS: Final = (
    ("title", "Title"),
    ("authors", "Authors"),
    ("year", "Year"),
    ("journal", "Journal"),
    ("doi", "DOI"),
    ("keywords", "Keywords"),
)
TIERS: Final = {
    PERSON: "by hand",
    "registrar": "registrar",
    "pdf-info": "PDF fields",
    "docling": "document structure",
    "layout": "first page",
    "text": "pattern in the text",
}
HISTORY: Final = 8
SERIOUS: Final = 0.2


def entry_data(entry: MetadataEntry) -> dict[str, Any]:
    """Return a paper with its fields, their candidates, the findings beside them, and what was decided before."""
    file = entry.source_file
    candidates = list(entry.candidates.order_by("field", "-score", "pk"))
    chosen = choices_of(entry)
    named = [name for name, _ in FIELDS]
    others = sorted(key for key in entry.values if not key.startswith("_") and key not in named)
    labels = [*FIELDS, *((name, name.replace("_", " ").capitalize()) for name in others)]
    return {
        "id": entry.pk,
        "version": entry.version,
        "review": entry.review,
        "doubt": entry.doubt,
        "file": {
            "id": file.pk,
            "path": file.path,
            "media_type": file.media_type,
            "pages": file.page_count or len(file.pages),
            "collection": str(file.collection),
        },
        "fields": [_field(entry, name, label, candidates, chosen) for name, label in labels],
        "history": [_event(event) for event in ReviewEvent.objects.filter(source_file=file).select_related("actor")[:HISTORY]],
    }


def _field(entry: MetadataEntry, name: str, label: str, candidates: list[Candidate], chosen: dict[str, Any]) -> dict[str, Any]:
    value = entry.values.get(name)
    choice = chosen.get(name)
    decided = entry.decided.get(name)
    return {
        "name": name,
        "label": label,
        "value": value,
        "tier": TIERS.get(choice.proposal.tier, choice.proposal.tier) if choice else "",
        "decided": decided,
        "contested": bool(choice and not decided and any(rival.score >= SERIOUS for rival in choice.rivals)),
        "candidates": [_candidate(row, value) for row in candidates if row.field == name],
        "findings": [
            {"severity": finding.get("severity", ""), "message": finding.get("message", "")}
            for finding in entry.findings
            if finding.get("field") == name
        ],
    }


def _candidate(row: Candidate, value: Any) -> dict[str, Any]:
    return {
        "id": row.pk,
        "value": row.value,
        "tier": TIERS.get(row.tier, row.tier),
        "doubt": row.doubt,
        "evidence": row.evidence,
        "is_value": fold(row.value) == fold(value),
    }


def _event(event: ReviewEvent) -> dict[str, Any]:
    before, after = event.before.get("values", {}), event.after.get("values", {})
    changed = sorted(key for key in {*before, *after} if not key.startswith("_") and before.get(key) != after.get(key))
    return {
        "who": str(event.actor) if event.actor else "Klea",
        "verb": event.verb,
        "at": event.at.isoformat(),
        "changed": changed,
    }
