"""Which of the proposed values counts, and how much doubt is left."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

PERSON: Final = "person"
REGISTRAR: Final = "registrar"
TIERS: Final = (PERSON, REGISTRAR, "pdf-info", "docling", "layout", "text")
WEIGHTS: Final = {REGISTRAR: 100.0, "pdf-info": 4.0, "docling": 3.0, "layout": 3.0, "text": 1.5}
IDENTIFIERS: Final = frozenset({"doi", "arxiv", "pmid", "pmcid", "isbn"})
NEEDED: Final = {"title": 0.3, "authors": 0.25, "year": 0.2}
COMPLETE: Final = ("title", "authors", "year")
COMPLETE_PDF_INFO: Final = ("title", "authors", "keywords")


@dataclass(frozen=True)
class Proposal:
    """One proposed value for one field.

    Attributes:
        field: such as title, authors, year, doi.
        value: JSON-able; authors and keywords are lists of texts.
        tier: one of TIERS.
        evidence: page and box, or address, or the matched words.
        score: 0 to 1 within its tier.
        doubt: why it is not to be trusted; empty when nothing speaks against it.
    """

    field: str
    value: Any
    tier: str
    evidence: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    score: float = 0.5
    doubt: str = ""


@dataclass(frozen=True)
class Choice:
    """The value that counts for a field.

    Attributes:
        proposal: the winner.
        rivals: undoubted proposals of another value, strongest first.
        agreeing: how many tiers propose the same value, the winner's included.
    """

    proposal: Proposal
    rivals: tuple[Proposal, ...]
    agreeing: int


def choose(proposals: Iterable[Proposal]) -> dict[str, Choice]:
    """Choose a value for each field that has a proposal fit to be used.

    A person's value always counts. Otherwise equal values (case, diacritics and punctuation aside) add up their tiers' weights,
    and the heaviest wins; a registrar outweighs all others together. A proposal in doubt is used only when there is no other,
    and for an identifier never: a wrong DOI is worse than none.
    """
    by_field: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        if proposal.value not in (None, "", [], {}):
            by_field.setdefault(proposal.field, []).append(proposal)
    chosen = {name: _choose_one(name, found) for name, found in by_field.items()}
    return {name: choice for name, choice in chosen.items() if choice is not None}


def values_of(choices: Mapping[str, Choice]) -> dict[str, Any]:
    """Return the plain values, with what follows from them: ``url_doi``, ``_sources`` and ``_metadata_complete``."""
    values = {name: choice.proposal.value for name, choice in choices.items()}
    if "doi" in values and "url_doi" not in values:
        values["url_doi"] = f"https://doi.org/{values['doi']}"
    contributing = {choice.proposal.tier for choice in choices.values() if not choice.proposal.doubt}
    values["_sources"] = [tier for tier in TIERS if tier in contributing]
    values["_metadata_complete"] = _is_complete(choices)
    return values


def doubt_of(choices: Mapping[str, Choice], finding_severities: Sequence[str] = ()) -> float:
    """Return how much doubt is left in a record, 0 (sure) to 1.

    A missing or doubted needed field counts with its full weight, a contested one with half, one that a single weak tier
    proposes with a quarter; each lint error adds 0.1 and each warning 0.03.
    """
    doubt = sum(weight * _field_doubt(choices.get(name)) for name, weight in NEEDED.items())
    if "doi" not in choices:
        doubt += 0.05
    doubt += 0.1 * sum(severity == "error" for severity in finding_severities)
    doubt += 0.03 * sum(severity == "warning" for severity in finding_severities)
    return min(1.0, round(doubt, 4))


def fold(value: object) -> str:
    """Return a form in which equal values are equal: case, diacritics, punctuation and white space aside.

    >>> fold("García-López, J.") == fold("garcia lopez j")
    True
    """
    if isinstance(value, list | tuple):
        return "|".join(fold(part) for part in value)
    text = unicodedata.normalize("NFKD", str(value)).casefold()
    kept = (" " if not sign.isalnum() else sign for sign in text if not unicodedata.combining(sign))
    return " ".join("".join(kept).split())


def _choose_one(name: str, proposals: Sequence[Proposal]) -> Choice | None:
    by_person = [proposal for proposal in proposals if proposal.tier == PERSON]
    if by_person:
        return Choice(by_person[-1], (), 1)
    sound = [proposal for proposal in proposals if not proposal.doubt]
    if not sound and name in IDENTIFIERS:
        return None
    weights: dict[str, float] = {}
    members: dict[str, list[Proposal]] = {}
    for proposal in sound or proposals:
        key = fold(proposal.value)
        weights[key] = weights.get(key, 0.0) + WEIGHTS.get(proposal.tier, 1.0) * (0.2 + proposal.score)
        members.setdefault(key, []).append(proposal)
    ranked = sorted(members, key=lambda key: (-weights[key], key))
    best = sorted(members[ranked[0]], key=_strength)
    rivals = tuple(min(members[key], key=_strength) for key in ranked[1:])
    return Choice(best[0], rivals if sound else (), len({proposal.tier for proposal in best}))


def _strength(proposal: Proposal) -> tuple[int, float]:
    rank = TIERS.index(proposal.tier) if proposal.tier in TIERS else len(TIERS)
    return rank, -proposal.score


def _field_doubt(choice: Choice | None) -> float:
    if choice is None or choice.proposal.doubt:
        return 1.0
    if choice.proposal.tier in {PERSON, REGISTRAR}:
        return 0.0
    if choice.rivals:
        return 0.5
    return 0.1 if choice.agreeing > 1 else 0.25


def _is_complete(choices: Mapping[str, Choice]) -> bool:
    undoubted = {name: choice.proposal.tier for name, choice in choices.items() if not choice.proposal.doubt}
    sure = {name for name, tier in undoubted.items() if tier in {PERSON, REGISTRAR}}
    from_info = {name for name, tier in undoubted.items() if tier == "pdf-info"}
    return sure.issuperset(COMPLETE) or from_info.issuperset(COMPLETE_PDF_INFO)
