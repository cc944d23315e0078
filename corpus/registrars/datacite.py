"""DataCite, the registrar of data sets, software and many preprints (https://support.datacite.org/docs/api)."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

import httpx

from corpus.core.works import datacite
from corpus.core.works.work import Work
from corpus.registrar import get_json, polite_client


class DataCite:
    """Asks DataCite."""

    name: Final = datacite.SERVICE

    def __init__(
        self, mailto: str, address: str = "https://api.datacite.org", transport: httpx.BaseTransport | None = None
    ) -> None:
        self._client = polite_client(mailto, transport)
        self._address = address

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the DOI's record."""
        answer = get_json(self._client, self.name, f"{self._address}/dois/{quote(doi, safe='')}", params={})
        return datacite.read(answer) if answer is not None else ()

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return the records whose title holds these words."""
        quoted = title.replace('"', " ")
        params = {"query": f'titles.title:"{quoted}"', "page[size]": "5"}
        answer = get_json(self._client, self.name, f"{self._address}/dois", params=params)
        return datacite.read(answer) if answer is not None else ()
