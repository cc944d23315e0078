"""CSL-JSON, the form of citation processors and of Zotero (https://docs.citationstyles.org/en/stable/specification.html)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from corpus.core.identifiers import normalize_doi
from corpus.core.names import PersonName, parse_name
from corpus.core.record import BibliographicRecord, PartialDate

NAME: Final = "CSL-JSON"
MEDIA_TYPE: Final = "application/vnd.citationstyles.csl+json"
EXTENSION: Final = ".json"

TEXTS: Final = {
    "type": "type",
    "title": "title",
    "container_title": "container-title",
    "collection_title": "collection-title",
    "event_title": "event-title",
    "publisher": "publisher",
    "publisher_place": "publisher-place",
    "edition": "edition",
    "volume": "volume",
    "issue": "issue",
    "pages": "page",
    "isbn": "ISBN",
    "issn": "ISSN",
    "pmid": "PMID",
    "pmcid": "PMCID",
    "abstract": "abstract",
    "language": "language",
    "note": "note",
}
_KNOWN: Final = {
    *TEXTS.values(),
    "id",
    "author",
    "editor",
    "issued",
    "DOI",
    "URL",
    "keyword",
    "archive",
    "archive_location",
    "custom",
    "event",
}
_YEAR: Final = re.compile(r"(?<!\d)(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?")


def read(text: str) -> tuple[BibliographicRecord, ...]:
    """Read an item or a list of items; what is no object is left out.

    Raises:
        ValueError: the text is no JSON.
    """
    content = json.loads(text)
    items = content if isinstance(content, list) else [content]
    return tuple(record_of(item) for item in items if isinstance(item, Mapping))


def write(records: Iterable[BibliographicRecord]) -> str:
    """Write records as a list of items, letters as they are."""
    return json.dumps([item_of(record) for record in records], ensure_ascii=False, indent=1)


def item_of(record: BibliographicRecord) -> dict[str, Any]:
    """Return a record as a CSL item; only what is known."""
    item: dict[str, Any] = {"id": record.key, **{csl: getattr(record, name) for name, csl in TEXTS.items()}}
    item["author"] = [_csl_name(name) for name in record.authors]
    item["editor"] = [_csl_name(name) for name in record.editors]
    item["issued"] = {"date-parts": [record.issued.parts()]} if record.issued else {}
    item["DOI"] = record.doi
    item["URL"] = next((address for label, address in record.urls if not label), "")
    item["keyword"] = "; ".join(record.keywords)
    if record.arxiv:
        item |= {"archive": "arXiv", "archive_location": record.arxiv}
    own = next((place for place, (label, _) in enumerate(record.urls) if not label), -1)
    others = [list(url) for place, url in enumerate(record.urls) if place != own]
    item["custom"] = {**dict(record.custom), **({"urls": others} if others else {})}
    return {key: value for key, value in item.items() if value not in ("", [], {})}


def record_of(item: Mapping[str, Any]) -> BibliographicRecord:
    """Read a CSL item; fields that Klea has no place for are kept as custom ones."""
    texts = {name: _text(item.get(csl)) for name, csl in TEXTS.items()}
    texts["event_title"] = texts["event_title"] or _text(item.get("event"))
    custom = item.get("custom")
    held = dict(custom) if isinstance(custom, Mapping) else {}
    others = [(_text(url[0]), _text(url[1])) for url in held.pop("urls", []) if isinstance(url, list) and len(url) == 2]
    own = _text(item.get("URL"))
    rest = {key: value for key, value in item.items() if key not in _KNOWN}
    return BibliographicRecord(
        key=_text(item.get("id")),
        authors=_names(item.get("author")),
        editors=_names(item.get("editor")),
        issued=_date(item.get("issued")),
        doi=normalize_doi(_text(item.get("DOI"))),
        arxiv=_text(item.get("archive_location")) if _text(item.get("archive")).casefold() == "arxiv" else "",
        keywords=_keywords(item.get("keyword")),
        urls=tuple([("", own)] if own else []) + tuple(others),
        custom=tuple((key, _as_text(value)) for key, value in {**rest, **held}.items()),
        **texts,
    )


def _csl_name(name: PersonName) -> dict[str, str]:
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
        "literal": name.literal,
    }
    return {key: value for key, value in parts.items() if value}


def _names(value: object) -> tuple[PersonName, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(name for part in value if (name := _name(part)) != PersonName())


def _name(part: object) -> PersonName:
    if isinstance(part, str):
        return parse_name(part)
    if not isinstance(part, Mapping):
        return PersonName()
    particle = " ".join(filter(None, (_text(part.get("dropping-particle")), _text(part.get("non-dropping-particle")))))
    family, given = _text(part.get("family")), _text(part.get("given"))
    literal = _text(part.get("literal")) or _text(part.get("name"))
    if literal and not family:
        return PersonName(literal=literal)
    if not family:
        return parse_name(given)
    return PersonName(family, given, particle, _text(part.get("suffix")))


def _date(value: object) -> PartialDate | None:
    if not isinstance(value, Mapping):
        return None
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = [int(part) for part in parts[0][:3] if str(part).lstrip("-").isdigit()]
        return PartialDate(*numbers) if numbers and numbers[0] else None
    return date_in(_text(value.get("raw")) or _text(value.get("literal")))


def date_in(text: str) -> PartialDate | None:
    """Read the first date of the form 2020, 2020-03 or 2020-03-05 in a text; None when there is none.

    >>> date_in("issued 2020-03-05"), date_in("n.d.")
    (PartialDate(year=2020, month=3, day=5), None)
    """
    found = _YEAR.search(text)
    if found is None:
        return None
    month = int(found[2] or 0)
    day = int(found[3] or 0) if 1 <= month <= 12 else 0
    return PartialDate(int(found[1]), month if 1 <= month <= 12 else 0, day if 1 <= day <= 31 else 0)


def _keywords(value: object) -> tuple[str, ...]:
    parts = (
        value
        if isinstance(value, list)
        else re.split(r"[;,]", _text(value))
        if ";" not in _text(value)
        else _text(value).split(";")
    )
    return tuple(text for part in parts if (text := _text(part).strip()))


def _text(value: object) -> str:
    if isinstance(value, list):
        return _text(value[0]) if value else ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _as_text(value: object) -> str:
    return _text(value) or json.dumps(value, ensure_ascii=False)
