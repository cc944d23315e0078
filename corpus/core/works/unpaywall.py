"""Unpaywall's DOI objects (https://unpaywall.org/data-format): where a free copy is."""

from __future__ import annotations

from typing import Any, Final

from corpus.core.works.work import Json, Work, bare_doi, clean, filled, person

SERVICE: Final = "unpaywall"


def read(answer: Any) -> tuple[Work, ...]:
    """Read an answer: one DOI object, or search results; anything else is no work."""
    if not isinstance(answer, dict):
        return ()
    results = answer.get("results")
    items = [one.get("response") for one in results if isinstance(one, dict)] if isinstance(results, list) else [answer]
    return tuple(read_work(item) for item in items if isinstance(item, dict) and "doi" in item)


def read_work(item: Json) -> Work:
    """Read one DOI object."""
    best = item.get("best_oa_location") or {}
    year = item.get("year")
    authors = [person(one.get("given"), one.get("family")) for one in item.get("z_authors") or [] if isinstance(one, dict)]
    csl = filled(
        [
            ("title", clean(item.get("title"))),
            ("author", [name for name in authors if name]),
            ("container-title", clean(item.get("journal_name"))),
            ("issued", {"date-parts": [[year]]} if isinstance(year, int) else {}),
            ("publisher", clean(item.get("publisher"))),
            ("DOI", bare_doi(item.get("doi"))),
        ]
    )
    return Work(SERVICE, bare_doi(item.get("doi")), csl, open_copy=clean(best.get("url_for_pdf") or best.get("url")))
