"""The seeds' metadata map: a file's values under the keys that people edit and filters see."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from corpus.core.identifiers import normalize_doi
from corpus.core.metadata_map import DEFAULT, MetadataMap, is_url_key, read_metadata_map, url_label
from corpus.core.names import parse_names
from corpus.core.record import BibliographicRecord, PartialDate

NAME: Final = "Metadata map"
MEDIA_TYPE: Final = "application/json"
EXTENSION: Final = ".json"

TEXTS: Final = {
    "type": "type",
    "title": "title",
    "container_title": "journal",
    "collection_title": "series",
    "event_title": "event",
    "publisher": "publisher",
    "publisher_place": "place",
    "edition": "edition",
    "volume": "volume",
    "issue": "issue",
    "pages": "pages",
    "doi": "doi",
    "isbn": "isbn",
    "issn": "issn",
    "arxiv": "arxiv",
    "pmid": "pmid",
    "pmcid": "pmcid",
    "abstract": "abstract",
    "language": "language",
    "note": "note",
    "key": "citation_key",
}
_KNOWN: Final = {*TEXTS.values(), "authors", "editors", "year", "issued", "keywords", "venue"}


def read(text: str) -> tuple[BibliographicRecord, ...]:
    """Read the ``DEFAULT`` entry of each file; the file's name becomes the key where no citation key stands.

    Raises:
        TypeError, ValueError: the map is of another form, or empty.
    """
    entries = read_metadata_map(text)
    return tuple(record_of({"citation_key": name, **(entry.get(DEFAULT) or {})}) for name, entry in entries.items())


def write(records: Iterable[BibliographicRecord]) -> str:
    """Write records as a map under their keys; letters as they are."""
    return write_map(
        {record.key or f"record-{number}": {DEFAULT: entry_of(record)} for number, record in enumerate(records, start=1)}
    )


def write_map(metadata_map: MetadataMap) -> str:
    """Write a whole map, letters as they are."""
    return json.dumps(metadata_map, ensure_ascii=False, indent=2)


def entry_of(record: BibliographicRecord) -> dict[str, Any]:
    """Return a record's values under the map's keys; only what is known. Names of people are written as they are read."""
    entry: dict[str, Any] = {key: getattr(record, name) for name, key in TEXTS.items()}
    entry["authors"] = [name.display() for name in record.authors]
    entry["editors"] = [name.inverted() for name in record.editors]
    entry["year"] = record.year
    entry["issued"] = record.issued.iso() if record.issued and record.issued.month else ""
    entry["keywords"] = list(record.keywords)
    entry |= _url_entries(record.urls)
    entry |= {key: value for key, value in record.custom if key not in entry}
    return {key: value for key, value in entry.items() if value not in ("", [], None)}


def record_of(entry: Mapping[str, Any]) -> BibliographicRecord:
    """Read a record from the values of an entry; derived keys ("_…") and ``url_doi`` are left out."""
    texts = {name: _text(entry.get(key)) for name, key in TEXTS.items()}
    texts["container_title"] = texts["container_title"] or _text(entry.get("venue"))
    texts["doi"] = normalize_doi(texts["doi"])
    urls = [
        (url_label(key), _text(value)) for key, value in entry.items() if is_url_key(key) and key != "url_doi" and _text(value)
    ]
    rest = {
        key: _text(value) for key, value in entry.items() if key not in _KNOWN and not is_url_key(key) and not key.startswith("_")
    }
    return BibliographicRecord(
        authors=parse_names(_list(entry.get("authors"))),
        editors=parse_names(_list(entry.get("editors"))),
        issued=_issued(entry),
        keywords=tuple(_text(part) for part in _list(entry.get("keywords")) if _text(part)),
        urls=tuple(urls),
        custom=tuple((key, value) for key, value in rest.items() if value),
        **texts,
    )


def _url_entries(urls: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for label, address in urls:
        key = f"url_{label.replace(' ', '_')}" if label else "url"
        number = 1
        while key in found:
            key, number = f"url_{number}", number + 1
        found[key] = address
    return found


def _issued(entry: Mapping[str, Any]) -> PartialDate | None:
    parts = [int(part) for part in _text(entry.get("issued")).split("-") if part.isdigit()]
    if parts:
        return PartialDate(*parts[:3])
    year = _text(entry.get("year"))
    return PartialDate(int(year)) if year.isdigit() else None


def _list(value: object) -> list[Any]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(";")]
    return list(value) if isinstance(value, list | tuple) else []


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()
