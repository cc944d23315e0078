"""Unpaywall: where a free copy of a work is (https://unpaywall.org/products/api; a mail address is compulsory)."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

import httpx

from corpus.core.works import unpaywall
from corpus.core.works.work import Work
from corpus.registrar import get_json, polite_client


class Unpaywall:
    """Asks Unpaywall."""

    name: Final = unpaywall.SERVICE

    def __init__(
        self, mailto: str, address: str = "https://api.unpaywall.org/v2", transport: httpx.BaseTransport | None = None
    ) -> None:
        self._client = polite_client(mailto, transport)
        self._address = address
        self._mailto = mailto

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the DOI's record with the address of a free copy."""
        url = f"{self._address}/{quote(doi, safe='/')}"
        answer = get_json(self._client, self.name, url, params={"email": self._mailto})
        return unpaywall.read(answer) if answer is not None else ()

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return the works that its search finds for the title."""
        params = {"query": title, "email": self._mailto}
        answer = get_json(self._client, self.name, f"{self._address}/search", params=params)
        return unpaywall.read(answer) if answer is not None else ()
