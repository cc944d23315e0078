"""From what is known of a document without asking anybody to candidates, tier by tier, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from corpus.core.choosing import Proposal
from corpus.core.chunk import Box
from corpus.core.extraction.header import find_header
from corpus.core.extraction.lines import HeaderLine
from corpus.core.extraction.own_doi import own_dois
from corpus.core.extraction.patterns import LIMIT, labelled_values, years_mentioned, years_said
from corpus.core.extraction.pdf_info import info_proposals
from corpus.core.identifiers import find_identifiers
from corpus.core.matching import DocumentFacts
from corpus.core.names import parse_names

DOCLING: Final = "docling"
LAYOUT: Final = "layout"
TEXT: Final = "text"
SEED_LABELS: Final = {"registrar": "doi-service", LAYOUT: "layout-regex", TEXT: "regex"}
SECTION_LABELS: Final = frozenset(
    {
        "abstract",
        "introduction",
        "contents",
        "summary",
        "references",
        "keywords",
        "highlights",
        "background",
        "methods",
        "results",
    }
)


@dataclass(frozen=True)
class DocumentSigns:
    """What a conversion left of a document for its metadata.

    Attributes:
        name: the file's name.
        text: the text's beginning (the patterns look at 3,000 characters).
        info: the PDF's own fields.
        docling_title: the item that Docling's layout calls title.
        mimetype, uri: where Docling says that it comes from.
        links: the addresses that the text links to.
        header: the lines of the first page in reading order, with sizes and boxes where known.
        chunk_headings: the headings of the chunks, in order, for when nothing else gives a title.
    """

    name: str = ""
    text: str = ""
    info: Mapping[str, Any] = field(default_factory=dict)
    docling_title: str | None = None
    mimetype: str = ""
    uri: str = ""
    links: tuple[str, ...] = ()
    header: tuple[HeaderLine, ...] = ()
    chunk_headings: tuple[str, ...] = ()


def propose_metadata(signs: DocumentSigns) -> tuple[Proposal, ...]:
    """Propose values for the fields of a document, strongest tier first."""
    return (
        *info_proposals(signs.info),
        *_from_docling(signs),
        *_from_header(signs.header),
        *_from_patterns("\n".join(line.text for line in signs.header), LAYOUT),
        *_from_patterns(signs.text, TEXT),
        *_years(signs),
        *_other_identifiers(signs),
        *_from_name(signs),
    )


def facts_of(signs: DocumentSigns, proposals: Iterable[Proposal]) -> DocumentFacts:
    """Gather what the document says of itself, for the comparison with a registrar's record."""
    held = list(proposals)
    opening = "\n".join(line.text for line in signs.header)
    return DocumentFacts(
        titles=tuple(dict.fromkeys(str(proposal.value) for proposal in held if proposal.field == "title")),
        authors=parse_names(next((proposal.value for proposal in held if proposal.field == "authors"), ())),
        years=tuple(int(proposal.value) for proposal in held if proposal.field == "year"),
        opening=f"{opening}\n{signs.text[:6000]}",
    )


def dois_to_look_up(proposals: Iterable[Proposal]) -> tuple[str, ...]:
    """Return the DOIs that may be the document's own, most trusted first, each once."""
    order = ("pdf-info", DOCLING, LAYOUT, TEXT)
    found = [proposal for proposal in proposals if proposal.field == "doi" and proposal.tier in order]
    ranked = sorted(found, key=lambda proposal: (order.index(proposal.tier), -proposal.score))
    return tuple(dict.fromkeys(str(proposal.value) for proposal in ranked))


def stem_of(name: str) -> str:
    """Return a file's name without folders and extension."""
    return name.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _from_docling(signs: DocumentSigns) -> Iterator[Proposal]:
    if signs.docling_title:
        yield Proposal("title", signs.docling_title, DOCLING, {"item": "title"}, 0.6)
    elif heading := _first_title_heading(signs.chunk_headings):
        yield Proposal("title", heading, DOCLING, {"item": "heading"}, 0.3)
    if signs.mimetype:
        yield Proposal("source_type", signs.mimetype, DOCLING, {"item": "origin"})
    if signs.uri.startswith(("http://", "https://")):
        yield Proposal("source_url", signs.uri, DOCLING, {"item": "origin"})
    for number, link in enumerate(
        dict.fromkeys(link for link in signs.links if link.startswith(("http://", "https://"))), start=1
    ):
        yield Proposal(f"url_{number}", link, DOCLING, {"item": "link"}, 0.4)


def _from_name(signs: DocumentSigns) -> Iterator[Proposal]:
    """The name of the file stands in for a title that nothing gives."""
    by_docling = signs.mimetype or signs.docling_title is not None or signs.header or signs.chunk_headings
    if by_docling:
        yield Proposal("title", stem_of(signs.name), DOCLING, {"item": "file name"}, 0.0)
    else:
        yield Proposal("title", stem_of(signs.name), TEXT, {"item": "file name"}, 0.0, "This is only the name of the file.")


def _first_title_heading(headings: Sequence[str]) -> str:
    return next((heading for heading in headings if heading.strip(" .:0123456789").casefold() not in SECTION_LABELS), "")


def _from_header(lines: Sequence[HeaderLine]) -> Iterator[Proposal]:
    found = find_header(lines)
    if found.title:
        yield Proposal("title", found.title, LAYOUT, _evidence(lines, found.title_lines), found.title_score)
    if found.authors:
        yield Proposal("authors", list(found.authors), LAYOUT, _evidence(lines, found.author_lines), found.author_score)


def _from_patterns(text: str, tier: str) -> Iterator[Proposal]:
    for name, value in labelled_values(text).items():
        if name != "doi":
            yield Proposal(name, value, tier, {"words": str(value)[:200]}, 0.5)
    for found in own_dois(text if tier == LAYOUT else text[:LIMIT])[:3]:
        yield Proposal("doi", found.value, tier, {"words": found.line[:200]}, found.score, found.doubt)


def _years(signs: DocumentSigns) -> Iterator[Proposal]:
    """A year with a reason first; any year on the page is a weak one."""
    opening = "\n".join(line.text for line in signs.header) or signs.text[:LIMIT]
    tier = LAYOUT if signs.header else TEXT
    said, mentioned = years_said(opening), years_mentioned(opening)
    if said:
        yield Proposal("year", said[0], tier, {"words": str(said[0])}, 0.6)
    elif mentioned:
        yield Proposal("year", mentioned[0], tier, {"words": str(mentioned[0])}, 0.05)


def _other_identifiers(signs: DocumentSigns) -> Iterator[Proposal]:
    opening = "\n".join(line.text for line in signs.header) or signs.text[:3000]
    seen: set[str] = set()
    for found in find_identifiers(opening):
        if found.kind not in {"doi", *seen}:
            seen.add(found.kind)
            yield Proposal(found.kind, found.value, LAYOUT if signs.header else TEXT, {"words": found.value}, 0.6)


def _evidence(lines: Sequence[HeaderLine], places: Sequence[int]) -> dict[str, Any]:
    """Say where words stand: their text, the page, and one box around them."""
    words = " ".join(lines[place].text.strip() for place in places)[:300]
    boxes = [box for place in places if (box := lines[place].box) is not None]
    if not boxes:
        return {"words": words}
    around = _around([box for box in boxes if box.page == boxes[0].page])
    return {"words": words, "page": around.page, "box": around.as_list()[1:]}


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        boxes[0].page,
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
