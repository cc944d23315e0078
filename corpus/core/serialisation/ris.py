"""RIS, the tagged form of reference managers (https://en.wikipedia.org/wiki/RIS_(file_format))."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from corpus.core.identifiers import normalize_arxiv, normalize_doi, normalize_issn
from corpus.core.names import PersonName, parse_name
from corpus.core.record import BibliographicRecord, PartialDate

NAME: Final = "RIS"
MEDIA_TYPE: Final = "application/x-research-info-systems"
EXTENSION: Final = ".ris"

TYPES: Final = {
    "JOUR": "article-journal",
    "CPAPER": "paper-conference",
    "CHAP": "chapter",
    "BOOK": "book",
    "THES": "thesis",
    "RPRT": "report",
    "MGZN": "article-magazine",
    "NEWS": "article-newspaper",
    "ELEC": "webpage",
    "DATA": "dataset",
    "COMP": "software",
    "PAT": "patent",
    "UNPB": "manuscript",
    "ENCYC": "entry-encyclopedia",
}
OTHER_TYPES: Final = {
    "CONF": "paper-conference",
    "EJOUR": "article-journal",
    "ECHAP": "chapter",
    "EBOOK": "book",
    "EDBOOK": "book",
    "BLOG": "post-weblog",
    "ABST": "article-journal",
    "INPR": "article-journal",
    "DICT": "entry-dictionary",
    "MANSCPT": "manuscript",
    "PREPRINT": "article",
}
_TEXTS: Final = {
    "title": ("TI", "T1", "CT", "BT"),
    "container_title": ("T2", "JF", "JO", "JA", "J2", "J1"),
    "collection_title": ("T3",),
    "publisher": ("PB",),
    "publisher_place": ("CY", "PP"),
    "edition": ("ET",),
    "volume": ("VL",),
    "issue": ("IS", "CP"),
    "abstract": ("AB", "N2"),
    "language": ("LA",),
    "event_title": ("C3",),
    "key": ("ID",),
}
_LINE: Final = re.compile(r"^\s*([A-Z][A-Z0-9])(?: {1,2}- ?| {0,2}-$|\t+- ?)(.*)$")
_OTHER_TAGS: Final = "TY ER AU A1 A2 ED PY Y1 DA SP EP DO SN AN KW UR L1 L2 LK N1 M2 UK"
_READ: Final = frozenset([*(tag for tags in _TEXTS.values() for tag in tags), *_OTHER_TAGS.split()])


def read(text: str) -> tuple[BibliographicRecord, ...]:
    """Read every record, whatever its line ends, blanks and order of tags; text before the first record is skipped."""
    return tuple(_record_of(tags) for tags in _records(text.lstrip("\ufeff")))


def write(records: Iterable[BibliographicRecord]) -> str:
    """Write records; fields that RIS has no tag for stand in notes as "key: text"."""
    return "\n".join("\n".join(f"{tag}  - {value}" for tag, value in _lines_of(record)) + "\nER  - \n" for record in records)


def _records(text: str) -> Iterator[dict[str, list[str]]]:
    tags: dict[str, list[str]] = {}
    last = ""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        found = _LINE.match(line)
        if found is None:
            if last and line.strip() and tags:
                tags[last][-1] = f"{tags[last][-1]} {line.strip()}".strip()
            continue
        last = found[1]
        if last in {"TY", "ER"}:
            if len(tags) > 1:
                yield tags
            tags = {}
        if last != "ER":
            tags.setdefault(last, []).append(" ".join(found[2].split()))
        else:
            last = ""
    if len(tags) > 1:
        yield tags


def _record_of(tags: Mapping[str, list[str]]) -> BibliographicRecord:
    texts = {name: _first(tags, *keys) for name, keys in _TEXTS.items()}
    kind = _first(tags, "TY").upper()
    notes, custom = _notes(tags)
    numbers = [number for value in tags.get("SN", []) for number in re.split(r"[;,]\s*|\s(?=\d{4}-\d{3}[\dXx])", value) if number]
    issn = next((normalize_issn(number) for number in numbers if normalize_issn(number)), "")
    return BibliographicRecord(
        type=custom.pop("csltype", "") or TYPES.get(kind) or OTHER_TYPES.get(kind, ""),
        authors=tuple(_name(value) for tag in ("AU", "A1") for value in tags.get(tag, []) if value),
        editors=tuple(_name(value) for tag in ("A2", "ED") for value in tags.get(tag, []) if value),
        issued=_date(tags),
        pages=_pages(_first(tags, "SP"), _first(tags, "EP")),
        doi=normalize_doi(_first(tags, "DO", "M3") if _first(tags, "DO") or _first(tags, "M3").startswith("10.") else ""),
        issn=issn,
        isbn="; ".join(number for number in numbers if not normalize_issn(number)),
        arxiv=normalize_arxiv(custom.pop("arxiv", "")),
        pmid=custom.pop("pmid", ""),
        pmcid=custom.pop("pmcid", ""),
        note="; ".join(notes),
        keywords=tuple(word for value in tags.get("KW", []) for word in [value] if word),
        urls=_urls(tags),
        custom=tuple(custom.items())
        + tuple((tag, "; ".join(values)) for tag, values in tags.items() if tag not in _READ and any(values)),
        **texts,
    )


def _notes(tags: Mapping[str, list[str]]) -> tuple[list[str], dict[str, str]]:
    """Divide the notes into plain ones and those that hold a field of ours, "klea:key: text"."""
    notes, custom = [], {}
    for value in tags.get("N1", []):
        found = re.match(r"klea:([^:]+): ?(.*)", value)
        if found:
            custom[found[1]] = found[2]
        elif value:
            notes.append(value)
    return notes, custom


def _name(value: str) -> PersonName:
    family, comma, rest = value.partition(",")
    if not comma or not family.strip():
        return parse_name(value)
    given, _, suffix = rest.partition(",")
    parsed = parse_name(f"{family.strip()}, X")
    if not given.strip():
        return PersonName(literal=family.strip())
    return PersonName(parsed.family or family.strip(), given.strip(), parsed.particle, suffix.strip())


def _date(tags: Mapping[str, list[str]]) -> PartialDate | None:
    for value in (_first(tags, "DA"), _first(tags, "PY"), _first(tags, "Y1")):
        found = re.match(r"\D*(\d{4})(?:[/-](\d{1,2}))?(?:[/-](\d{1,2}))?", value)
        if found:
            month = int(found[2] or 0)
            return PartialDate(int(found[1]), month if month <= 12 else 0, int(found[3] or 0) if 0 < month <= 12 else 0)
    return None


def _pages(first: str, last: str) -> str:
    return f"{first}-{last}" if first and last and last != first else first or last


def _urls(tags: Mapping[str, list[str]]) -> tuple[tuple[str, str], ...]:
    found = []
    for value in (value for tag in ("UR", "LK") for value in tags.get(tag, [])):
        label = re.match(r"\[([^\]]+)\] (.*)", value)
        found.append((label[1], label[2]) if label else ("", value))
    return tuple((label, address) for label, address in found if address)


def _first(tags: Mapping[str, list[str]], *names: str) -> str:
    return next((value for name in names for value in tags.get(name, []) if value), "")


def _lines_of(record: BibliographicRecord) -> Iterator[tuple[str, str]]:
    kind = next((ris for ris, csl in TYPES.items() if csl == record.type), "GEN")
    yield "TY", kind
    yield from ((keys[0], value) for name, keys in _TEXTS.items() if (value := getattr(record, name)))
    yield from (("AU", _written(author)) for author in record.authors)
    yield from (("A2", _written(editor)) for editor in record.editors)
    yield from _numbers_of(record)
    yield from (("KW", word) for word in record.keywords)
    yield from (("UR", f"[{label}] {address}" if label else address) for label, address in record.urls)
    ours = {"csltype": record.type if kind == "GEN" else "", "arxiv": record.arxiv, "pmid": record.pmid, "pmcid": record.pmcid}
    yield from (("N1", f"klea:{key}: {value}") for key, value in {**ours, **dict(record.custom)}.items() if value)
    if record.note:
        yield "N1", record.note


def _numbers_of(record: BibliographicRecord) -> Iterator[tuple[str, str]]:
    if record.issued:
        yield "PY", f"{record.issued.year:04d}"
        if record.issued.month:
            yield "DA", record.issued.iso().replace("-", "/")
    first, dash, last = record.pages.partition("-")
    if record.pages:
        yield "SP", first if dash and last else record.pages
        if dash and last:
            yield "EP", last
    for tag, value in (("DO", record.doi), ("SN", record.issn), ("SN", record.isbn)):
        if value:
            yield tag, value


def _written(name: PersonName) -> str:
    if name.literal:
        return f"{name.literal},"
    return ", ".join([name.full_family, name.given, name.suffix] if name.suffix else [name.full_family, name.given])
