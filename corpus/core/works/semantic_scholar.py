"""Semantic Scholar's papers (https://api.semanticscholar.org/api-docs/graph)."""

from __future__ import annotations

from typing import Any, Final

from corpus.core.works.work import Json, Work, bare_doi, clean, filled, person

SERVICE: Final = "semantic-scholar"

TYPES: Final = {
    "JournalArticle": "article-journal",
    "Review": "article-journal",
    "Conference": "paper-conference",
    "Book": "book",
    "BookSection": "chapter",
    "Dataset": "dataset",
}


def read(answer: Any) -> tuple[Work, ...]:
    """Read an answer: one paper, or a list under ``data``; anything else is no work."""
    if isinstance(answer, dict) and isinstance(answer.get("data"), list):
        items = answer["data"]
    else:
        items = answer if isinstance(answer, list) else [answer]
    return tuple(read_work(item) for item in items if isinstance(item, dict) and ("paperId" in item or "title" in item))


def read_work(item: Json) -> Work:
    """Read one paper."""
    ids = item.get("externalIds") or {}
    journal = item.get("journal") or {}
    kinds = item.get("publicationTypes") or []
    csl = filled(
        [
            ("type", next((TYPES[kind] for kind in kinds if kind in TYPES), "")),
            ("title", clean(item.get("title"))),
            ("author", _authors(item.get("authors"))),
            ("container-title", clean(journal.get("name")) or clean(item.get("venue"))),
            ("issued", _issued(item)),
            ("volume", clean(journal.get("volume"))),
            ("page", clean(journal.get("pages"))),
            ("DOI", bare_doi(ids.get("DOI"))),
            ("PMID", clean(str(ids.get("PubMed") or ""))),
            ("abstract", clean(item.get("abstract"))),
        ]
    )
    copy = (item.get("openAccessPdf") or {}).get("url")
    extra = filled([("arxiv", clean(ids.get("ArXiv"))), ("pmcid", clean(str(ids.get("PubMedCentral") or "")))])
    return Work(SERVICE, bare_doi(ids.get("DOI")), csl, (), retracted=False, open_copy=clean(copy), extra=extra)


def _authors(people: object) -> list[dict[str, str]]:
    if not isinstance(people, list):
        return []
    made = []
    for one in people:
        given, _, family = clean(one.get("name")).rpartition(" ")
        made.append(person(given, family))
    return [name for name in made if name]


def _issued(item: Json) -> dict[str, Any]:
    date = clean(item.get("publicationDate"))
    if date:
        return {"date-parts": [[int(part) for part in date.split("-") if part.isdigit()]]}
    year = item.get("year")
    return {"date-parts": [[year]]} if isinstance(year, int) else {}
