"""What a registrar's record proposes for a document, and whether the record is the document's at all."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from corpus.core.choosing import REGISTRAR, Proposal
from corpus.core.identifiers import doi_key
from corpus.core.matching import DocumentFacts, agreement
from corpus.core.record import BibliographicRecord
from corpus.core.serialisation.metadata_map import entry_of

EVIDENCE_ONLY = frozenset({"abstract", "citation_key"})


def registered_proposals(record: BibliographicRecord, *, document: DocumentFacts, address: str = "") -> tuple[Proposal, ...]:
    """Propose the fields of a record; all in doubt, with the reason, when the record is not the document's.

    Args:
        record: what the registrar said; its abstract is evidence and no field.
        document: what the document says of itself.
        address: where the record was asked for.
    """
    found = agreement(record.title, record.authors, record.year, document=document)
    score = 0.9 if found.agrees else 0.2
    return tuple(
        Proposal(field, value, REGISTRAR, {"url": address} if address else {}, score, found.reason)
        for field, value in entry_of(record).items()
        if field not in EVIDENCE_ONLY
    )


def doubt_doi(proposals: Iterable[Proposal], doi: str, reason: str) -> tuple[Proposal, ...]:
    """Put a DOI in doubt wherever it was proposed, with its address; no reason leaves all as it is."""
    key = doi_key(doi)
    return tuple(
        dataclasses.replace(proposal, doubt=reason)
        if reason and proposal.field in {"doi", "url_doi"} and doi_key(str(proposal.value)) == key
        else proposal
        for proposal in proposals
    )


def with_record(
    proposals: Iterable[Proposal], record: BibliographicRecord, *, looked_up: str, document: DocumentFacts, address: str = ""
) -> tuple[Proposal, ...]:
    """Add a record that was found under a DOI of the document: it confirms the DOI or puts it in doubt."""
    registered = registered_proposals(record, document=document, address=address)
    reason = registered[0].doubt if registered else ""
    return (*registered, *doubt_doi(proposals, looked_up, reason))
