"""A work as a registrar knows it, in CSL-JSON's terms, and the cleaning that all services need."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_TAG = re.compile(r"<[^<>]{1,200}>")
_SPACE = re.compile(r"\s+")
_ALL_CAPITALS = re.compile(r"[^\W\d_]{3,}")

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Related:
    """Another work that this one points to.

    Attributes:
        kind: retracted-by, corrected-by, retracts, corrects, preprint-of, has-preprint, version-of, has-version, supplement.
        doi: lower case, without a resolver's address.
    """

    kind: str
    doi: str


@dataclass(frozen=True)
class Work:
    """A registrar's record.

    Attributes:
        service: who says it.
        doi: lower case; empty when the service gave none.
        csl: a CSL-JSON item (https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html); only fields that have a value.
        related: links to other works.
        retracted: the service marks the work itself as retracted.
        open_copy: address of a free copy, or empty.
    """

    service: str
    doi: str
    csl: dict[str, Any]
    related: tuple[Related, ...] = ()
    retracted: bool = False
    open_copy: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The title; empty when the record has none, and then it can't identify a document."""
        return str(self.csl.get("title", ""))


def clean(value: object) -> str:
    r"""Turn a service's text into plain text: markup removed, entities resolved twice at most, white space folded.

    >>> clean("p110α (\n <i>PIK3CA</i>\n ) &amp;amp; more")
    'p110α (PIK3CA) & more'
    """
    if not isinstance(value, str):
        return ""
    text = html.unescape(html.unescape(value))
    text = _SPACE.sub(" ", _TAG.sub("", text)).strip()
    return text.replace("( ", "(").replace(" )", ")")


def first_text(value: object) -> str:
    """Return the first non-empty text of a text or a list of texts."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return next((found for found in map(clean, value) if found), "")
    return ""


def bare_doi(value: object) -> str:
    """Return a DOI without resolver and in lower case; empty when it is none. Angle brackets are part of old DOIs.

    >>> bare_doi("https://doi.org/10.1093/NAR/gkw1164")
    '10.1093/nar/gkw1164'
    """
    text = html.unescape(value).strip().lower() if isinstance(value, str) else ""
    found = text.find("10.")
    return text[found:] if found >= 0 and "/" in text[found:] else ""


def tame_capitals(name: str) -> str:
    """Write a name that a service shouts as it is normally written; initials and short particles stay.

    >>> tame_capitals("GUMLEY"), tame_capitals("MÜLLER-LÜDENSCHEIDT"), tame_capitals("L"), tame_capitals("McClurg")
    ('Gumley', 'Müller-Lüdenscheidt', 'L', 'McClurg')
    """
    if name != name.upper() or not _ALL_CAPITALS.search(name):
        return name
    return _ALL_CAPITALS.sub(lambda found: found.group().capitalize(), name)


def person(given: object, family: object, *, suffix: object = None, orcid: object = None) -> dict[str, str]:
    """Make a CSL name of its parts; empty when there is no family name and no given name."""
    parts = {
        "given": tame_capitals(clean(given)),
        "family": tame_capitals(clean(family)),
        "suffix": clean(suffix),
        "ORCID": clean(orcid).rsplit("/", 1)[-1],
    }
    if not parts["family"]:
        parts["family"], parts["given"] = parts["given"], ""
    return {key: value for key, value in parts.items() if value} if parts["family"] else {}


def date_parts(*sources: object) -> list[list[int]]:
    """Return CSL date parts of the first source that holds a year; a service's null date counts as none."""
    for source in sources:
        parts = source.get("date-parts") if isinstance(source, Mapping) else None
        if isinstance(parts, list) and parts and isinstance(parts[0], list):
            numbers = [int(part) for part in parts[0] if isinstance(part, int | str) and str(part).isdigit()]
            if numbers and 1400 <= numbers[0] <= 2200:
                return [numbers[:3]]
    return []


def filled(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Keep the fields that have a value."""
    return {key: value for key, value in fields if value not in ("", [], {}, None)}
