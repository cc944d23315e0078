"""Semantic Scholar's graph (https://api.semanticscholar.org/api-docs/graph); without a key it often asks to wait."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

import httpx

from corpus.core.works import semantic_scholar
from corpus.core.works.work import Work
from corpus.registrar import get_json, polite_client

FIELDS: Final = "title,authors,year,venue,journal,abstract,externalIds,publicationTypes,publicationDate,openAccessPdf"


class SemanticScholar:
    """Asks Semantic Scholar."""

    name: Final = semantic_scholar.SERVICE

    def __init__(
        self,
        mailto: str,
        address: str = "https://api.semanticscholar.org/graph/v1",
        key: str = "",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._client = polite_client(mailto, transport)
        self._address = address
        self._headers = {"x-api-key": key} if key else {}

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the paper with this DOI."""
        url = f"{self._address}/paper/DOI:{quote(doi, safe='/')}"
        answer = get_json(self._client, self.name, url, params={"fields": FIELDS}, headers=self._headers)
        return semantic_scholar.read(answer) if answer is not None else ()

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return the paper whose title matches best."""
        params = {"query": title, "fields": FIELDS}
        url = f"{self._address}/paper/search/match"
        answer = get_json(self._client, self.name, url, params=params, headers=self._headers)
        return semantic_scholar.read(answer) if answer is not None else ()
