"""BibTeX and BibLaTeX (https://ctan.org/pkg/biblatex). A broken entry costs itself, never the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from bibtexparser import parse_string
from bibtexparser.model import DuplicateBlockKeyBlock, Entry

from corpus.core.identifiers import normalize_arxiv, normalize_doi
from corpus.core.metadata_map import url_label
from corpus.core.record import BibliographicRecord, PartialDate
from corpus.core.serialisation.bibtex_names import read_names, write_names
from corpus.core.serialisation.csl_json import date_in
from corpus.core.serialisation.latex_text import latex_of, plain_of

NAME: Final = "BibTeX"
MEDIA_TYPE: Final = "application/x-bibtex"
EXTENSION: Final = ".bib"

TYPES: Final = {
    "article": "article-journal",
    "inproceedings": "paper-conference",
    "incollection": "chapter",
    "book": "book",
    "phdthesis": "thesis",
    "techreport": "report",
    "unpublished": "manuscript",
    "online": "webpage",
    "dataset": "dataset",
    "software": "software",
    "patent": "patent",
}
OTHER_TYPES: Final = {
    "conference": "paper-conference",
    "inbook": "chapter",
    "mvbook": "book",
    "collection": "book",
    "proceedings": "book",
    "booklet": "pamphlet",
    "thesis": "thesis",
    "mastersthesis": "thesis",
    "report": "report",
    "www": "webpage",
    "electronic": "webpage",
    "periodical": "periodical",
    "manual": "book",
    "inreference": "entry-encyclopedia",
    "suppperiodical": "article-journal",
}
_CONTAINERS: Final = ("journal", "journaltitle", "booktitle", "maintitle")
_FIELDS: Final = {
    "collection_title": ("series",),
    "event_title": ("eventtitle",),
    "publisher": ("publisher", "institution", "school", "organization"),
    "publisher_place": ("address", "location"),
    "edition": ("edition",),
    "volume": ("volume",),
    "issue": ("number", "issue"),
    "isbn": ("isbn",),
    "issn": ("issn",),
    "pmid": ("pmid",),
    "pmcid": ("pmcid", "pmc"),
    "abstract": ("abstract",),
    "language": ("langid", "language"),
    "note": ("note",),
}
_READ: Final = {
    *_CONTAINERS,
    *(name for names in _FIELDS.values() for name in names),
    *(
        "title",
        "subtitle",
        "titleaddon",
        "author",
        "editor",
        "year",
        "month",
        "day",
        "date",
        "pages",
        "doi",
        "eprint",
        "eprinttype",
    ),
    *("archiveprefix", "primaryclass", "keywords", "keyword", "url", "csltype", "url_other"),
}
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_KEY: Final = re.compile(r"[\s,{}#%~\\\"'=()]")
_EMPTY_FIELD: Final = re.compile(r",\s*,(?=\s*[A-Za-z][\w-]*\s*=)")


def read(text: str) -> tuple[BibliographicRecord, ...]:
    """Read every entry that can be read; of entries with one key all are kept."""
    library = parse_string(text)
    if not library.entries and library.failed_blocks:
        library = parse_string(_EMPTY_FIELD.sub(",", text))
    macros = {string.key.lower(): str(string.value) for string in library.strings}
    entries: list[Entry] = []
    for block in library.blocks:
        if isinstance(block, Entry):
            entries.append(block)
        elif isinstance(block, DuplicateBlockKeyBlock) and isinstance(block.ignore_error_block, Entry):
            entries.append(block.ignore_error_block)
    return tuple(_record_of(entry, macros) for entry in entries)


def write(records: Iterable[BibliographicRecord]) -> str:
    """Write records as entries; letters as they are (UTF-8), signs of LaTeX escaped."""
    return "\n".join(_entry_of(record, number) for number, record in enumerate(records, start=1))


def _record_of(entry: Entry, macros: Mapping[str, str]) -> BibliographicRecord:
    raw = {field.key.lower(): _resolved(str(field.value), macros) for field in reversed(entry.fields)}
    plain = {key: plain_of(value) for key, value in raw.items()}
    texts = {name: next((plain[key] for key in keys if plain.get(key)), "") for name, keys in _FIELDS.items()}
    kind = entry.entry_type.lower()
    return BibliographicRecord(
        key=entry.key,
        type=plain.get("csltype") or TYPES.get(kind) or OTHER_TYPES.get(kind, ""),
        title=_title(plain),
        authors=read_names(raw.get("author", "")),
        editors=read_names(raw.get("editor", "")),
        issued=_issued(plain),
        container_title=next((plain[key] for key in _CONTAINERS if plain.get(key)), ""),
        pages=re.sub(r"\s*(?:-+|[–—])\s*", "-", plain.get("pages", "")),
        doi=normalize_doi(raw.get("doi", "").replace("\\", "").strip("{}")),
        arxiv=_arxiv(plain),
        keywords=_keywords(plain),
        urls=_urls(raw),
        custom=tuple(
            (key, plain[key]) for key in reversed(raw) if key not in _READ and not key.startswith("url_") and plain[key]
        ),
        **texts,
    )


def _resolved(value: str, macros: Mapping[str, str]) -> str:
    """Put the parts of `jan # " 2020"` together; names of macros are replaced by what they stand for."""
    if value.lower() in macros:
        return macros[value.lower()]
    if " # " not in value or '"' not in value:
        return value
    parts = [part.strip() for part in value.split("#")]
    return "".join(part.strip('"') if part.startswith('"') else macros.get(part.lower(), part.strip("{}")) for part in parts)


def _title(plain: Mapping[str, str]) -> str:
    title, subtitle = plain.get("title", ""), plain.get("subtitle", "")
    return f"{title}: {subtitle}" if title and subtitle else title or subtitle


def _issued(plain: Mapping[str, str]) -> PartialDate | None:
    if dated := date_in(plain.get("date", "")):
        return dated
    year = re.search(r"\d{4}", plain.get("year", ""))
    if year is None:
        return None
    month = plain.get("month", "").strip().lower()
    number = (
        int(month) if month.isdigit() else next((place for place, name in enumerate(_MONTHS, 1) if month.startswith(name)), 0)
    )
    day = plain.get("day", "")
    return PartialDate(int(year.group()), number if number <= 12 else 0, int(day) if day.isdigit() and 0 < number <= 12 else 0)


def _arxiv(plain: Mapping[str, str]) -> str:
    prefix = (plain.get("archiveprefix") or plain.get("eprinttype", "")).casefold()
    number = normalize_arxiv(plain.get("eprint", ""))
    return number if prefix in {"arxiv", ""} or "arxiv" in prefix else ""


def _keywords(plain: Mapping[str, str]) -> tuple[str, ...]:
    text = plain.get("keywords") or plain.get("keyword", "")
    return tuple(word.strip() for word in text.split(";" if ";" in text else ",") if word.strip())


def _urls(raw: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    found = [
        (url_label(key), _address(value))
        for key, value in reversed(list(raw.items()))
        if (key == "url" or key.startswith("url_"))
    ]
    return tuple((label, address) for label, address in found if address)


def _address(value: str) -> str:
    bare = re.sub(r"^\s*\\url\s*\{(.*)\}\s*$", r"\1", value)
    return re.sub(r"\\([_%&#~$])", r"\1", bare.replace("{\\_}", "_")).strip().strip("{}<>")


def _entry_of(record: BibliographicRecord, number: int) -> str:
    kind = next((bibtex for bibtex, csl in TYPES.items() if csl == record.type), "misc")
    fields = {key: value for key, value in _fields_of(record, kind).items() if value}
    key = _KEY.sub("", record.key) or f"record{number}"
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{body}}}\n"


def _fields_of(record: BibliographicRecord, kind: str) -> dict[str, str]:
    container = {"article": "journal"}.get(kind, "booktitle")
    fields: dict[str, Any] = {
        "author": write_names(record.authors),
        "title": latex_of(record.title),
        "editor": write_names(record.editors),
        container: latex_of(record.container_title),
        "csltype": latex_of(record.type) if kind == "misc" else "",
        "date": record.issued.iso() if record.issued and record.issued.month else "",
        "year": f"{record.issued.year:04d}" if record.issued else "",
        "pages": latex_of(record.pages).replace("-", "--"),
        "doi": record.doi,
        "eprint": record.arxiv,
        "archiveprefix": "arXiv" if record.arxiv else "",
        "keywords": latex_of("; ".join(record.keywords) + (";" if len(record.keywords) == 1 else "")),
    }
    fields |= {keys[0]: latex_of(getattr(record, name)) for name, keys in _FIELDS.items()}
    for place, (label, address) in enumerate(record.urls):
        fields[f"url_{label.replace(' ', '_')}" if label else ("url" if "url" not in fields else f"url_{place}")] = address
    return fields | {re.sub(r"[^\w:-]", "", key).lower(): latex_of(value) for key, value in record.custom}
