"""Ask the registrars about a document's DOIs, and let their records confirm a DOI or put it in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus import converted, lookup
from corpus.candidates import propose
from corpus.core.choosing import REGISTRAR, Proposal
from corpus.core.docling_json import signs_of
from corpus.core.extraction.cascade import DocumentSigns, dois_to_look_up, facts_of, propose_metadata
from corpus.core.extraction.registered import with_record
from corpus.core.serialisation.csl_json import record_of
from corpus.core.works.merging import merge, related, retracted
from corpus.models import MetadataEntry
from corpus.registrar import Registrar

MOST_DOIS = 3
TIERS = ("pdf-info", "docling", "layout", "text")


@dataclass(frozen=True)
class Consulted:
    """What came of asking.

    Attributes:
        proposals: the document's own and the registrars', doubted where they disagree.
        unanswered: services that must be asked again later.
        asked: whether any service is switched on and was asked or answered from what is kept.
    """

    proposals: tuple[Proposal, ...]
    unanswered: tuple[str, ...] = ()
    asked: bool = False


def consult(signs: DocumentSigns, proposals: Iterable[Proposal], registrars: Sequence[Registrar] | None = None) -> Consulted:
    """Ask about the DOIs that may be the document's own, the most trusted first, until one is confirmed.

    Args:
        signs: what was read in the document.
        proposals: of the document's own tiers.
        registrars: whom to ask; None: those that the operator switched on, which is nobody by default.
    """
    held = tuple(proposals)
    chosen = lookup.switched_on() if registrars is None else list(registrars)
    if not chosen:
        return Consulted(held)
    document = facts_of(signs, held)
    unanswered: list[str] = []
    for doi in dois_to_look_up(held)[:MOST_DOIS]:
        found = lookup.by_doi(doi, chosen)
        unanswered += found.unanswered
        if not found.works:
            continue
        csl, _ = merge(found.works)
        held = with_record(held, record_of(csl), looked_up=doi, document=document, address=f"https://doi.org/{doi}")
        confirmed = any(one.tier == REGISTRAR and one.field == "title" and not one.doubt for one in held)
        if confirmed:
            held += _links(found)
            break
    return Consulted(held, tuple(dict.fromkeys(unanswered)), asked=True)


def describe_anew(entry: MetadataEntry, registrars: Sequence[Registrar] | None = None) -> Consulted:
    """Read the stored conversion again, ask the registrars, and settle the entry.

    Raises:
        BytesMissing: there is no stored conversion.
    """
    file = entry.source_file
    document = converted.read(file.conversion_key)
    signs = signs_of(file.name, document.document, document.info)
    consulted = consult(signs, propose_metadata(signs), registrars)
    propose(entry, consulted.proposals, tiers=(*TIERS, REGISTRAR) if consulted.asked else TIERS)
    return consulted


def _links(found: lookup.LookUp) -> tuple[Proposal, ...]:
    """Propose what the registrars say of retractions, corrections and other versions."""
    by_kind: dict[str, str] = {link.kind.replace("-", "_"): link.doi for link in related(found.works)}
    if retracted(found.works):
        by_kind.setdefault("retracted_by", "the publisher")
    copies = [work.open_copy for work in found.works if work.open_copy.startswith("https://")]
    if copies:
        by_kind["url_open"] = copies[0]
    return tuple(Proposal(kind, value, REGISTRAR, score=0.9) for kind, value in by_kind.items())
