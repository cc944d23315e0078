"""Crossref, the registrar of most journals (https://api.crossref.org, polite pool by mail address)."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

import httpx

from corpus.core.works import crossref
from corpus.core.works.work import Work
from corpus.registrar import get_json, polite_client


class Crossref:
    """Asks Crossref."""

    name: Final = crossref.SERVICE

    def __init__(
        self, mailto: str, address: str = "https://api.crossref.org", transport: httpx.BaseTransport | None = None
    ) -> None:
        self._client = polite_client(mailto, transport)
        self._address = address
        self._mailto = mailto

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the work with this DOI."""
        answer = get_json(
            self._client, self.name, f"{self._address}/works/{quote(doi, safe='')}", params={"mailto": self._mailto}
        )
        return crossref.read(answer) if answer is not None else ()

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return the five works whose bibliographic data are most like the title."""
        params = {"query.bibliographic": title, "rows": "5", "mailto": self._mailto}
        answer = get_json(self._client, self.name, f"{self._address}/works", params=params)
        return crossref.read(answer) if answer is not None else ()
