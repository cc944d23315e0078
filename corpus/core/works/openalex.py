"""OpenAlex works (https://docs.openalex.org/api-entities/works/work-object)."""

from __future__ import annotations

from typing import Any, Final

from corpus.core.works.work import Json, Work, bare_doi, clean, filled, person

SERVICE: Final = "openalex"

TYPES: Final = {
    "article": "article-journal",
    "review": "article-journal",
    "letter": "article-journal",
    "editorial": "article-journal",
    "preprint": "article",
    "book-chapter": "chapter",
    "book": "book",
    "dissertation": "thesis",
    "dataset": "dataset",
    "report": "report",
    "peer-review": "review",
    "standard": "standard",
    "reference-entry": "entry",
}


def read(answer: Any) -> tuple[Work, ...]:
    """Read an answer: one work or a list of results; anything else is no work."""
    if not isinstance(answer, dict):
        return ()
    results = answer.get("results")
    items = results if isinstance(results, list) else [answer]
    return tuple(read_work(item) for item in items if isinstance(item, dict) and ("doi" in item or "title" in item))


def read_work(item: Json) -> Work:
    """Read one work; OpenAlex gives authors as whole names, the last word counts as the family name."""
    location = item.get("primary_location") or {}
    source = location.get("source") or {}
    biblio = item.get("biblio") or {}
    csl = filled(
        [
            ("type", TYPES.get(str(item.get("type")), str(item.get("type") or ""))),
            ("title", clean(item.get("title") or item.get("display_name"))),
            ("author", _authors(item.get("authorships"))),
            ("container-title", clean(source.get("display_name"))),
            ("issued", _issued(item)),
            ("volume", clean(biblio.get("volume"))),
            ("issue", clean(biblio.get("issue"))),
            ("page", _pages(biblio)),
            ("publisher", clean(source.get("host_organization_name"))),
            ("DOI", bare_doi(item.get("doi"))),
            ("ISSN", clean(source.get("issn_l"))),
            ("PMID", clean((item.get("ids") or {}).get("pmid")).rsplit("/", 1)[-1]),
            ("abstract", _abstract(item.get("abstract_inverted_index"))),
            ("language", clean(item.get("language"))),
            ("keyword", ", ".join(clean(word.get("display_name")) for word in item.get("keywords") or [])),
        ]
    )
    copy = (item.get("open_access") or {}).get("oa_url")
    return Work(SERVICE, bare_doi(item.get("doi")), csl, (), bool(item.get("is_retracted")), clean(copy))


def _authors(authorships: object) -> list[dict[str, str]]:
    if not isinstance(authorships, list):
        return []
    made = []
    for authorship in authorships:
        author = authorship.get("author") or {}
        name = clean(authorship.get("raw_author_name") or author.get("display_name"))
        if ", " in name:
            family, _, given = name.partition(", ")
        else:
            given, _, family = name.rpartition(" ")
        made.append(person(given, family, orcid=author.get("orcid")))
    return [name for name in made if name]


def _issued(item: Json) -> dict[str, Any]:
    date = clean(item.get("publication_date"))
    if date:
        return {"date-parts": [[int(part) for part in date.split("-") if part.isdigit()]]}
    year = item.get("publication_year")
    return {"date-parts": [[year]]} if isinstance(year, int) else {}


def _pages(biblio: Json) -> str:
    first, last = clean(biblio.get("first_page")), clean(biblio.get("last_page"))
    return f"{first}-{last}" if last and last != first else first


def _abstract(index: object) -> str:
    if not isinstance(index, dict):
        return ""
    placed = [(position, word) for word, positions in index.items() for position in positions]
    return " ".join(word for _, word in sorted(placed))
