"""Crossref's works (https://api.crossref.org/swagger-ui/) and its CSL-JSON form."""

from __future__ import annotations

from typing import Any, Final

from corpus.core.works.work import Json, Related, Work, bare_doi, clean, date_parts, filled, first_text, person, tame_capitals

SERVICE: Final = "crossref"

TYPES: Final = {
    "journal-article": "article-journal",
    "proceedings-article": "paper-conference",
    "posted-content": "article",
    "book-chapter": "chapter",
    "book-section": "chapter",
    "book-part": "chapter",
    "reference-entry": "entry",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "report": "report",
    "dissertation": "thesis",
    "dataset": "dataset",
    "peer-review": "review",
    "standard": "standard",
    "proceedings": "book",
}
UPDATES: Final = {"retraction": "retracts", "withdrawal": "retracts", "removal": "retracts"}
UPDATED: Final = {"retraction": "retracted-by", "withdrawal": "retracted-by", "removal": "retracted-by"}
RELATIONS: Final = {
    "is-preprint-of": "preprint-of",
    "has-preprint": "has-preprint",
    "is-version-of": "version-of",
    "has-version": "has-version",
    "is-supplemented-by": "supplement",
}


def read(answer: Any) -> tuple[Work, ...]:
    """Read an answer: one work, a list of works, or a CSL-JSON item; anything else is no work."""
    message = answer.get("message", answer) if isinstance(answer, dict) else answer
    if isinstance(message, dict) and isinstance(message.get("items"), list):
        message = message["items"]
    items = message if isinstance(message, list) else [message]
    return tuple(read_work(item) for item in items if isinstance(item, dict) and _is_work(item))


def read_work(item: Json) -> Work:
    """Read one work."""
    csl = filled(
        [
            ("type", TYPES.get(str(item.get("type")), str(item.get("type") or ""))),
            ("title", _title(item)),
            ("author", _names(item.get("author"))),
            ("editor", _names(item.get("editor"))),
            ("container-title", first_text(item.get("container-title"))),
            ("container-title-short", first_text(item.get("short-container-title"))),
            ("issued", filled([("date-parts", _issued(item))])),
            ("volume", clean(item.get("volume"))),
            ("issue", clean(item.get("issue"))),
            ("page", clean(item.get("page") or item.get("article-number"))),
            ("publisher", clean(item.get("publisher"))),
            ("DOI", bare_doi(item.get("DOI"))),
            ("ISBN", first_text(item.get("ISBN"))),
            ("ISSN", first_text(item.get("ISSN"))),
            ("abstract", clean(item.get("abstract"))),
            ("language", clean(item.get("language"))),
            ("keyword", ", ".join(filter(None, map(clean, item.get("subject") or [])))),
        ]
    )
    related = _related(item)
    return Work(SERVICE, bare_doi(item.get("DOI")), csl, related, any(link.kind == "retracted-by" for link in related))


def _is_work(item: Json) -> bool:
    return any(key in item for key in ("DOI", "title", "author", "issued"))


def _title(item: Json) -> str:
    title, subtitle = first_text(item.get("title")), first_text(item.get("subtitle"))
    if not title or not subtitle or subtitle.casefold() in title.casefold():
        return title
    return f"{title}{' ' if title.endswith(('?', '!', ':')) else ': '}{subtitle}"


def _names(people: object) -> list[dict[str, str]]:
    if not isinstance(people, list):
        return []
    made = [_name(one) for one in people if isinstance(one, dict)]
    return [name for name in made if name]


def _name(one: Json) -> dict[str, str]:
    if group := clean(one.get("name") or one.get("literal")):
        return {"literal": tame_capitals(group)}
    return person(one.get("given"), one.get("family"), suffix=one.get("suffix"), orcid=one.get("ORCID"))


def _issued(item: Json) -> list[list[int]]:
    return date_parts(
        item.get("issued"), item.get("published"), item.get("published-print"), item.get("published-online"), item.get("posted")
    )


def _related(item: Json) -> tuple[Related, ...]:
    found = [
        Related(UPDATES.get(str(update.get("type")), "corrects"), bare_doi(update.get("DOI")))
        for update in item.get("update-to") or []
    ]
    found += [
        Related(UPDATED.get(str(update.get("type")), "corrected-by"), bare_doi(update.get("DOI")))
        for update in item.get("updated-by") or []
    ]
    relation = item.get("relation")
    for kind, targets in relation.items() if isinstance(relation, dict) else ():
        if kind in RELATIONS and isinstance(targets, list):
            found += [Related(RELATIONS[kind], bare_doi(target.get("id"))) for target in targets if isinstance(target, dict)]
    return tuple(dict.fromkeys(link for link in found if link.doi))
