"""What is known of a work, in CSL's terms: the form between registrars, files of references, the metadata map and citations."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.core.names import PersonName


@dataclass(frozen=True)
class PartialDate:
    """A date of which the day, or day and month, may be unknown (0)."""

    year: int
    month: int = 0
    day: int = 0

    def parts(self) -> list[int]:
        """Return the known parts, year first."""
        known = [self.year, self.month, self.day] if self.month else [self.year]
        return [part for part in known if part]

    def iso(self) -> str:
        """Return 2020, 2020-03 or 2020-03-05."""
        return "-".join(f"{part:04d}" if place == 0 else f"{part:02d}" for place, part in enumerate(self.parts()))


@dataclass(frozen=True)
class BibliographicRecord:
    """A work. Texts are plain and without blanks around them; what is unknown is empty.

    Attributes:
        key: the citation key of a file of references.
        type: CSL's type, such as article-journal, paper-conference, chapter, book, thesis, report.
        title, container_title, collection_title, event_title: of the work, its journal or book, the series, the conference.
        authors, editors: in order.
        issued: when it was published.
        pages: first and last page, as "12-34", or an article number.
        doi, isbn, issn, arxiv, pmid, pmcid: bare forms.
        keywords: in order.
        urls: (label, address); the label of the work's own address is empty.
        custom: (key, text) of any other field.
    """

    key: str = ""
    type: str = ""
    title: str = ""
    authors: tuple[PersonName, ...] = ()
    editors: tuple[PersonName, ...] = ()
    issued: PartialDate | None = None
    container_title: str = ""
    collection_title: str = ""
    event_title: str = ""
    publisher: str = ""
    publisher_place: str = ""
    edition: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    isbn: str = ""
    issn: str = ""
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    abstract: str = ""
    language: str = ""
    note: str = ""
    keywords: tuple[str, ...] = ()
    urls: tuple[tuple[str, str], ...] = ()
    custom: tuple[tuple[str, str], ...] = ()

    @property
    def year(self) -> int | None:
        """The year of publication, if known."""
        return self.issued.year if self.issued else None
