"""OpenAlex, an open index of works (https://docs.openalex.org, polite pool by mail address)."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

import httpx

from corpus.core.works import openalex
from corpus.core.works.work import Work
from corpus.registrar import get_json, polite_client

_NOT_IN_A_FILTER = re.compile(r"[,|!:&]+")


class OpenAlex:
    """Asks OpenAlex."""

    name: Final = openalex.SERVICE

    def __init__(
        self, mailto: str, address: str = "https://api.openalex.org", transport: httpx.BaseTransport | None = None
    ) -> None:
        self._client = polite_client(mailto, transport)
        self._address = address
        self._mailto = mailto

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the work with this DOI."""
        url = f"{self._address}/works/https://doi.org/{quote(doi, safe='')}"
        answer = get_json(self._client, self.name, url, params={"mailto": self._mailto})
        return openalex.read(answer) if answer is not None else ()

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return the works whose title holds these words."""
        words = _NOT_IN_A_FILTER.sub(" ", title)
        params = {"filter": f"title.search:{words}", "per-page": "5", "mailto": self._mailto}
        answer = get_json(self._client, self.name, f"{self._address}/works", params=params)
        return openalex.read(answer) if answer is not None else ()
