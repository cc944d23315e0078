"""The metadata map: what is known of a file and of the headings in it, and how a chunk gets its share of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from corpus.core.identifiers import normalize_doi
from corpus.core.names import expand_person_names, name_keys, parse_names
from corpus.core.text import normalize_text

DEFAULT: Final = "DEFAULT"
CHAIN: Final = " > "
CORE_FIELDS: Final = ("authors", "doi", "journal", "keywords", "title", "year")
DROPPED: Final = frozenset({"source_path", "source_type", "source_url"})
PERSON_FIELDS: Final = frozenset({"authors"})
AUTHOR_KEYS: Final = "author_keys"

Entry = dict[str, Any]
FileMap = dict[str, Entry]
MetadataMap = dict[str, FileMap]


def resolve_metadata(entries: Mapping[str, Any] | None, headings: Sequence[str] | None) -> Entry | None:
    """Fold a file's entries into the metadata of a chunk under `headings`.

    The first entry that is not empty wins and is merged over ``DEFAULT``: the full heading chain, then shorter suffixes, then
    shallower ancestors, then any other contiguous part of the chain, longest and deepest first. Headings compare by their
    normal text.

    Args:
        entries: ``DEFAULT`` and heading chains (joined by " > "), each with its values; None for a file without a map.
        headings: the chunk's heading chain, outermost first.

    Returns:
        The merged values; None when there is no map, or neither a match nor ``DEFAULT``.

    >>> resolve_metadata({"DEFAULT": {"year": 1}, "Methods": {"url": "m"}, "Methods > Cells": {}}, ["Methods", "Cells"])
    {'year': 1, 'url': 'm'}
    """
    if entries is None:
        return None
    known = {normal_chain(key): value for key, value in entries.items() if isinstance(value, Mapping)}
    chain = [normalize_text(heading) for heading in headings or []]
    match = next((known[key] for key in _candidates(chain) if known.get(key)), None)
    default = known.get(DEFAULT)
    if match is None and default is None:
        return None
    return {**(default or {}), **(match or {})}


def normal_chain(key: str) -> str:
    """Return a heading chain with each of its headings in normal form."""
    return CHAIN.join(normalize_text(part) for part in key.split(CHAIN))


def read_metadata_map(text: str) -> MetadataMap:
    """Read a metadata map from JSON; file names and heading chains come out in normal form.

    Raises:
        TypeError: it is no object of objects.
        ValueError: it is empty or no JSON.
    """
    return normal_map(json.loads(text))


def normal_map(content: object) -> MetadataMap:
    """Bring a metadata map to normal keys at both levels; of two keys that become one, the fuller entry stays.

    Raises:
        TypeError: it is no object of objects.
        ValueError: it is empty.
    """
    if not isinstance(content, Mapping):
        raise TypeError("A metadata map must be a JSON object: {file name: {DEFAULT: {...}, heading chain: {...}}}.")
    if not content:
        raise ValueError("The metadata map is empty. Write one with the command that exports metadata, then edit it.")
    return {normalize_text(name): normal_entries(entries, name) for name, entries in content.items()}


def normal_entries(entries: object, name: str = "") -> FileMap:
    """Bring the entries of one file to normal keys.

    Raises:
        TypeError: the entries are no object.
    """
    if not isinstance(entries, Mapping):
        raise TypeError(f"The entry of '{name}' in the metadata map must be an object with DEFAULT and heading chains.")
    found: FileMap = {}
    for key, value in entries.items():
        normal = normal_chain(str(key))
        found[normal] = {**found.get(normal, {}), **value} if isinstance(value, Mapping) else value
    return found


def choose_map(explicit: MetadataMap | None, template: MetadataMap | None) -> MetadataMap | None:
    """Return the map that was named, else the template, else None."""
    return explicit if explicit is not None else template


def require_entries(metadata_map: Mapping[str, Any], files: Iterable[str]) -> list[str]:
    """Check that each file has an entry, and return a warning for each whose entry gives nothing.

    Raises:
        ValueError: a file has no entry; the message names it and what to do.
    """
    names = [normalize_text(name) for name in files]
    absent = [name for name in names if name not in metadata_map]
    if absent:
        raise ValueError(f"The metadata map has no entry for {', '.join(absent)}. Add one, or describe the file again.")
    return [f"{name}: its entry in the metadata map gives nothing" for name in names if not any(metadata_map[name].values())]


def split_urls(values: Mapping[str, Any]) -> Entry:
    """Write the list ``urls`` as ``url_1``, ``url_2``, …; numbers that are taken are skipped.

    >>> split_urls({"url_1": "a", "urls": ["b", "c"]})
    {'url_1': 'a', 'url_2': 'b', 'url_3': 'c'}
    """
    split = {key: value for key, value in values.items() if key != "urls"}
    number = 1
    for url in values.get("urls") or []:
        while f"url_{number}" in split:
            number += 1
        split[f"url_{number}"] = url
    return split


def add_doi_url(values: Mapping[str, Any]) -> Entry:
    """Add ``url_doi``, the DOI's address, unless it is set."""
    doi = values.get("doi")
    if not doi or values.get("url_doi"):
        return dict(values)
    return {**values, "url_doi": f"https://doi.org/{normalize_doi(str(doi))}"}


def url_label(key: str) -> str:
    """Return what a ``url*`` key calls its link: ``url_orcid`` gives orcid; ``url`` and ``url_2`` give nothing.

    >>> url_label("url_orcid"), url_label("url_2"), url_label("url")
    ('orcid', '', '')
    """
    label = key.removeprefix("url").removeprefix("_")
    return "" if label.isdigit() else label.replace("_", " ")


def links_of(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the links of an entry, (label, address), without repeated addresses, in the order of the keys."""
    found: dict[str, str] = {}
    for key, value in values.items():
        if is_url_key(key) and isinstance(value, str) and value and not found.get(value):
            found[value] = url_label(key)
    return [(label, address) for address, label in found.items()]


def is_url_key(key: str) -> bool:
    """Tell whether a key holds a link: ``url`` or ``url_…``."""
    return key == "url" or key.startswith("url_")


def stored_metadata(values: Mapping[str, Any], *, expand_names: bool = False) -> Entry:
    """Return what a store keeps of the values: neither keys that begin with "_", nor where the file came from.

    Everything else that a person wrote is kept as it is. With `expand_names`, lists of people get the variants that stores of
    the older form hold.
    """
    kept = {key: value for key, value in values.items() if not key.startswith("_") and key not in DROPPED}
    if not expand_names:
        return kept
    return {key: expand_person_names(value) if _is_people(key, value) else value for key, value in kept.items()}


def without_empty(values: Mapping[str, Any]) -> Entry:
    """Drop what is None or an empty list; zero, false and empty text stay."""
    return {key: value for key, value in values.items() if value is not None and value != []}


def searchable_metadata(values: Mapping[str, Any]) -> Entry:
    """Return what a filter sees: the stored values, and beside the authors (left as they are) the keys that find them."""
    kept = without_empty(stored_metadata(values))
    people = (
        [name for name in kept.get("authors") or [] if isinstance(name, str)]
        if _is_people("authors", kept.get("authors"))
        else []
    )
    keys = dict.fromkeys(key for name in parse_names(people) for key in name_keys(name))
    return {**kept, AUTHOR_KEYS: list(keys)} if keys else kept


def _is_people(key: str, value: object) -> bool:
    return key in PERSON_FIELDS and isinstance(value, list)


def _candidates(chain: Sequence[str]) -> Iterator[str]:
    """Yield the keys to try: full chain, suffixes, ancestors, then the parts that are neither, longest and deepest first."""
    depth = len(chain)
    yield from (CHAIN.join(chain[start:]) for start in range(depth))
    yield from (CHAIN.join(chain[:end]) for end in range(depth - 1, 0, -1))
    inner = ((start, end) for start in range(1, depth - 1) for end in range(start + 1, depth))
    for start, end in sorted(inner, key=lambda part: (part[0] - part[1], -part[1])):
        yield CHAIN.join(chain[start:end])
