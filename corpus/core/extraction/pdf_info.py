"""What a PDF's own fields (Info dictionary, XMP) say of the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from corpus.core.choosing import Proposal
from corpus.core.identifiers import find_dois
from corpus.core.linting.finding import Subject
from corpus.core.linting.rules import title_fallback, title_is_running_head
from corpus.core.text import normalize_text

TIER = "pdf-info"
_FILE_NAME = re.compile(
    r"\.(?:pdf|docx?|tex|dvi|indd|qxd|rtf|ps)$|^[\w-]*\d{4,}[\w-]*$|^\S+_\S+$|^(?:slide|page)\s*\d+$", re.IGNORECASE
)
_NO_PERSON = re.compile(
    r"^(?:user|admin\w*|owner|author|unknown|anonymous|windows|microsoft|dell|hp|\S+@\S+|\S+)$", re.IGNORECASE
)


def info_proposals(info: Mapping[str, Any]) -> tuple[Proposal, ...]:
    """Read title, authors, keywords, DOI and address from a PDF's fields; placeholders of programs are left out.

    Args:
        info: the fields by name (Title, Author, Keywords, Subject, doi, url), in any case.
    """
    fields = {str(key).lower().lstrip("/"): _clean(value) for key, value in info.items()}
    return tuple(proposal for proposal in _read(fields) if proposal.value)


def _read(fields: Mapping[str, str]) -> Iterator[Proposal]:
    title = fields.get("title", "")
    yield Proposal("title", title if is_title(title) else "", TIER, {"field": "Title"}, 0.6)
    people = _people(fields.get("author", ""))
    yield Proposal("authors", people, TIER, {"field": "Author"}, 0.6 if len(people) > 1 else 0.25)
    yield from _years(fields)
    yield Proposal("keywords", _split(fields.get("keywords", "")), TIER, {"field": "Keywords"}, 0.6)
    for name in ("doi", "wps-articledoi", "prism:doi", "subject", "title", "keywords"):
        found = find_dois(fields.get(name, ""))
        if found:
            yield Proposal("doi", found[0].value, TIER, {"field": name}, 0.8)
            break
    yield Proposal("url", fields.get("url", ""), TIER, {"field": "url"}, 0.6)


def _years(fields: Mapping[str, str]) -> Iterator[Proposal]:
    """The year in the subject ("Proceedings 2024"), else the one in which the file was made, as a weak sign."""
    said = re.search(r"\b((?:19|20)\d{2})\b", fields.get("subject", ""))
    made = re.match(r"(?:D:)?((?:19|20)\d{2})", fields.get("creationdate", ""))
    if said:
        yield Proposal("year", int(said[1]), TIER, {"field": "Subject"}, 0.4)
    elif made:
        yield Proposal("year", int(made[1]), TIER, {"field": "CreationDate"}, 0.05)


def is_title(text: str) -> bool:
    """Tell whether a PDF's title can be the document's: no placeholder, no file name, no DOI."""
    subject = Subject("", {"DEFAULT": {"title": text}}, 0)
    odd = _FILE_NAME.search(text) or find_dois(text)
    return bool(text) and not odd and not [*title_fallback.check(subject), *title_is_running_head.check(subject)]


def _people(text: str) -> list[str]:
    names = (
        re.split(r";|\s+and\s+|\s*&\s*", text)
        if ";" in text or text.count(",") == 1
        else re.split(r"[,;]|\s+and\s+|\s*&\s*", text)
    )
    return [name.strip() for name in names if name.strip() and not _NO_PERSON.match(name.strip())]


def _split(text: str) -> list[str]:
    return [term.strip() for term in re.split(r"[,;]", text) if term.strip() and not find_dois(term)]


def _clean(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(_clean(part) for part in value)
    return normalize_text(value) if isinstance(value, str) else ""
