"""A numbered source: the chunk that a marker [n] stands for, and what a reader is shown of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.core.chunk import Box, Span
from corpus.core.metadata_map import add_doi_url, links_of
from corpus.core.names import display_person_names

LINK = re.compile(r"https?://[^\s<>\"']+\Z")


@dataclass(frozen=True)
class Source:
    """A chunk with the number that it keeps for the whole turn.

    Attributes:
        n: from 1, given when the chunk is found and never changed.
        score: the calibrated score of retrieval, 0..1.
        domain: the slug.
    """

    n: int
    chunk_id: int
    source_file_id: int
    domain: str
    domain_id: int
    text: str
    headings: tuple[str, ...] = ()
    kind: str = "text"
    pages: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    file_name: str = ""
    media_type: str = ""
    score: float = 0.0

    @property
    def title(self) -> str:
        """The work's title, else the name of the file."""
        return str(self.metadata.get("title") or "").strip() or self.file_name

    @property
    def section(self) -> str:
        """The heading chain, joined."""
        return " > ".join(self.headings)

    def as_shown(self) -> dict[str, Any]:
        """Return what the page, the API and an export show of it."""
        return {
            "n": self.n,
            "chunk": self.chunk_id,
            "title": self.title,
            "authors": authors_of(self.metadata),
            "year": year_of(self.metadata),
            "venue": venue_of(self.metadata),
            "section": self.section,
            "pages": list(self.pages),
            "file": self.source_file_id,
            "file_name": self.file_name,
            "domain": self.domain,
            "text": self.text,
            "links": shown_links(self.metadata),
            "media_type": self.media_type,
        }

    def snapshot(self) -> dict[str, Any]:
        """Return what a citation keeps, should the chunk change or go."""
        return {**self.as_shown(), "headings": list(self.headings), "kind": self.kind, "metadata": dict(self.metadata)}


def authors_of(metadata: Mapping[str, Any]) -> list[str]:
    """Return the authors' names without the variants that are kept for search.

    >>> authors_of({"authors": ["Ada Lovelace", "ada lovelace", "Ada", "Lovelace", "ada", "lovelace"]})
    ['Ada Lovelace']
    """
    value = metadata.get("authors") or metadata.get("author") or []
    names = [value] if isinstance(value, str) else [str(name) for name in value]
    return list(display_person_names(names))


def year_of(metadata: Mapping[str, Any]) -> int | None:
    """Return the year as a number, if it is one."""
    value = metadata.get("year")
    try:
        return int(str(value))
    except ValueError:
        return None


def venue_of(metadata: Mapping[str, Any]) -> str:
    """Return the journal, or what stands for it."""
    return str(metadata.get("journal") or metadata.get("venue") or metadata.get("publisher") or "")


def shown_links(metadata: Mapping[str, Any]) -> list[list[str]]:
    """Return [label, address] of the DOI and every `url*` key, web addresses only; one without a label shows its host.

    >>> shown_links({"doi": "10.1/x", "url_orcid": "https://orcid.org/0", "url": "javascript:alert(1)"})
    [['orcid', 'https://orcid.org/0'], ['doi', 'https://doi.org/10.1/x']]
    """
    links = [(label, address.strip()) for label, address in links_of(add_doi_url(metadata))]
    return [[label or address.split("/")[2], address] for label, address in links if LINK.match(address)]


def numbered_from(sources: Sequence[Source]) -> int:
    """Return the next free number."""
    return max((source.n for source in sources), default=0) + 1


def spans_from(stored: Sequence[Mapping[str, Any]]) -> tuple[Span, ...]:
    """Read the stored form of a chunk's spans."""
    return tuple(
        Span(int(part["start"]), int(part["end"]), tuple(Box(int(box[0]), *map(float, box[1:5])) for box in part["boxes"]))
        for part in stored
    )
