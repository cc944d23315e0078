"""The null registrar: answers from works that it is given; asks nobody. For tests, and for machines that must not call out."""

from __future__ import annotations

from collections.abc import Iterable

from corpus.core.works.work import Work


class RecordedRegistrar:
    """Knows what it is told."""

    def __init__(self, name: str = "recorded", works: Iterable[Work] = ()) -> None:
        self.name = name
        self._works = {work.doi: work for work in works}

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the work with this DOI."""
        return (self._works[doi],) if doi in self._works else ()

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return the works with exactly this title, but for case."""
        return tuple(work for work in self._works.values() if work.title.casefold() == title.casefold())
