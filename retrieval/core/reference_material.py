"""What of the found passages a model reads: cut to a budget in turn by domain, and written out by source file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, TypeVar

from corpus.core.metadata_map import AUTHOR_KEYS, CORE_FIELDS, DROPPED, PERSON_FIELDS, is_url_key
from corpus.core.names import display_person_names

OVERHEAD: Final = 200
"""Characters that a passage costs beside its text."""

_MACHINE_SET: Final = frozenset({"file_hash", "file_name", "headings", AUTHOR_KEYS}) | DROPPED
_SHARED: Final = frozenset(CORE_FIELDS)

T = TypeVar("T")


@dataclass(frozen=True)
class Passage:
    """A found passage as a model reads it.

    Attributes:
        source: tells files apart; two files of one name are two sources. By default the name.
    """

    text: str
    score: float
    file_name: str = ""
    headings: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source: object = None

    @property
    def key(self) -> object:
        """What its file is known by."""
        return self.file_name if self.source is None else self.source


def within_budget(
    by_domain: Mapping[str, Sequence[T]], max_characters: int, *, cost: Callable[[T], int]
) -> dict[str, tuple[T, ...]]:
    """Take passages in turn, one of each domain a round, until the budget is used up.

    The one that crosses the budget is still taken, so that a single large passage never leaves nothing.

    >>> within_budget({"a": "xyz", "b": "u"}, 500, cost=lambda _: 200)
    {'a': ('x', 'y'), 'b': ('u',)}
    """
    taken: dict[str, list[T]] = {domain: [] for domain in by_domain}
    used = 0
    for row in zip_longest(*([(domain, item) for item in items] for domain, items in by_domain.items())):
        for domain, item in (one for one in row if one is not None):
            if used > max_characters:
                break
            used += cost(item)
            taken[domain].append(item)
    return {domain: tuple(items) for domain, items in taken.items()}


def cost_of(passage: Passage) -> int:
    """Return what a passage costs of the budget."""
    return len(passage.text) + OVERHEAD


def serialise(by_domain: Mapping[str, Sequence[Passage]]) -> str:
    """Write passages out: by domain, by source file with its shared metadata once, by chunk; no scores.

    Files stand in the order of their best passage, passages of a file in the order of their scores.
    """
    return "\n\n".join(f"## {domain}\n\n{_files(passages)}" for domain, passages in by_domain.items() if passages)


def _files(passages: Sequence[Passage]) -> str:
    groups: dict[object, list[Passage]] = {}
    for passage in sorted(passages, key=lambda one: -one.score):
        groups.setdefault(passage.key, []).append(passage)
    return "\n".join(_file(group, number, len(groups)) for number, group in enumerate(groups.values(), start=1))


def _file(passages: Sequence[Passage], number: int, files: int) -> str:
    name = passages[0].file_name
    shared = _shared(passages)
    lines = [f"### Source document {number}/{files}: {f'[{name}]' if name else '(no file)'}"]
    if shared:
        lines.append(f"Metadata: {_written(shared)}")
    lines.append("")
    for place, passage in enumerate(passages, start=1):
        lines.append(f"  Chunk {place}: {' > '.join(passage.headings) or '(no heading)'}")
        own = {key: value for key, value in _told(passage.metadata).items() if key not in shared}
        if own:
            lines.append(f"  Chunk metadata: {_written(own)}")
        lines.append(passage.text)
    return "\n".join(lines)


def _shared(passages: Sequence[Passage]) -> dict[str, Any]:
    """Return the bibliographic fields and addresses that all passages of a file have alike."""
    first, *others = (_told(passage.metadata) for passage in passages)
    return {
        key: value
        for key, value in first.items()
        if (key in _SHARED or is_url_key(key)) and all(other.get(key) == value for other in others)
    }


def _told(metadata: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key, value in metadata.items():
        if key.startswith("_") or key in _MACHINE_SET or value in (None, "", []):
            continue
        told[key] = display_person_names(value) if key in PERSON_FIELDS and isinstance(value, list) else value
    return told


def _written(values: Mapping[str, Any]) -> str:
    return " | ".join(f"{key}={_value(value)}" for key, value in values.items())


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(f"'{part}'" if isinstance(part, str) else str(part) for part in value) + "]"
    return str(value)
