"""DataCite's DOIs (https://support.datacite.org/docs/api-get-doi), as JSON:API."""

from __future__ import annotations

from typing import Any, Final

from corpus.core.works.work import Json, Related, Work, bare_doi, clean, filled, person

SERVICE: Final = "datacite"

TYPES: Final = {
    "Dataset": "dataset",
    "JournalArticle": "article-journal",
    "Preprint": "article",
    "ConferencePaper": "paper-conference",
    "Book": "book",
    "BookChapter": "chapter",
    "Dissertation": "thesis",
    "Report": "report",
    "Software": "software",
}
RELATIONS: Final = {
    "IsVersionOf": "version-of",
    "HasVersion": "has-version",
    "IsSupplementTo": "supplement",
    "IsPreviousVersionOf": "has-version",
    "IsNewVersionOf": "version-of",
}


def read(answer: Any) -> tuple[Work, ...]:
    """Read an answer: one DOI or a list of them; anything else is no work."""
    data = answer.get("data") if isinstance(answer, dict) else None
    items = data if isinstance(data, list) else [data]
    return tuple(read_work(item["attributes"]) for item in items if isinstance(item, dict) and "attributes" in item)


def read_work(item: Json) -> Work:
    """Read the attributes of one DOI."""
    types = item.get("types") or {}
    container = item.get("container") or {}
    year = item.get("publicationYear")
    csl = filled(
        [
            ("type", TYPES.get(str(types.get("resourceTypeGeneral")), clean(types.get("citeproc")))),
            ("title", next((clean(title.get("title")) for title in item.get("titles") or []), "")),
            ("author", [name for name in map(_name, item.get("creators") or []) if name]),
            ("container-title", clean(container.get("title"))),
            ("issued", {"date-parts": [[year]]} if isinstance(year, int) else {}),
            ("volume", clean(container.get("volume"))),
            ("publisher", clean(_publisher(item.get("publisher")))),
            ("DOI", bare_doi(item.get("doi"))),
            ("abstract", next((clean(text.get("description")) for text in item.get("descriptions") or []), "")),
            ("language", clean(item.get("language"))),
        ]
    )
    related = [
        Related(RELATIONS[str(link.get("relationType"))], bare_doi(link.get("relatedIdentifier")))
        for link in item.get("relatedIdentifiers") or []
        if link.get("relationType") in RELATIONS and link.get("relatedIdentifierType") == "DOI"
    ]
    return Work(SERVICE, bare_doi(item.get("doi")), csl, tuple(link for link in related if link.doi))


def _publisher(value: object) -> object:
    return value.get("name") if isinstance(value, dict) else value


def _name(one: Json) -> dict[str, str]:
    if one.get("familyName"):
        return person(one.get("givenName"), one.get("familyName"))
    whole = clean(one.get("name"))
    if one.get("nameType") == "Personal" and ", " in whole:
        family, _, given = whole.partition(", ")
        return person(given, family)
    return {"literal": whole} if whole else {}
