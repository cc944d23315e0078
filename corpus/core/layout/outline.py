"""Which of the headings that the pages seem to have are plausible, seen over the whole document."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from corpus.core.layout.block import NUMBERED
from corpus.core.layout.page import Part

SMALLER: Final = 0.93
FEW: Final = 4
IN_A_ROW: Final = 0.6
LARGEST_SHARE: Final = 0.12

Style = tuple[float, bool, str]


def implausible(parts: Sequence[Part]) -> set[int]:
    """Return the places of parts that are labelled as headings but aren't: labels in figures, rows of tables, displayed formulas.

    Args:
        parts: of all pages, in reading order.
    """
    headings = [place for place, part in enumerate(parts) if part.label == "section_header"]
    body = body_size(parts)
    gone = {place for place in headings if parts[place].size < SMALLER * body and not _is_numbered(parts[place])}
    gone |= _in_a_row(parts, [place for place in headings if place not in gone])
    return gone | _too_many(parts, [place for place in headings if place not in gone])


def body_size(parts: Sequence[Part]) -> float:
    """Return the height of most letters of the text; 0 where there is none."""
    sizes: Counter[float] = Counter()
    for part in parts:
        if part.label in {"text", "list_item"}:
            sizes[round(part.size * 2) / 2] += part.letters
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _in_a_row(parts: Sequence[Part], headings: Sequence[int]) -> set[int]:
    """Return headings of styles that mostly follow each other with nothing between them."""
    by_style: defaultdict[Style, list[int]] = defaultdict(list)
    for place in headings:
        by_style[_style(parts[place])].append(place)
    known = set(headings)
    gone: set[int] = set()
    for places in by_style.values():
        loose = [place for place in places if not _is_numbered(parts[place])]
        followed = sum(place + 1 in known and _style(parts[place + 1]) == _style(parts[place]) for place in loose)
        if len(loose) >= FEW and followed > IN_A_ROW * len(loose):
            gone.update(loose)
    return gone


def _too_many(parts: Sequence[Part], headings: Sequence[int]) -> set[int]:
    """Return the headings of the weakest styles as long as all together are more than an outline would be."""
    total = sum(part.letters for part in parts)
    left = {place: parts[place].letters for place in headings}
    by_style: defaultdict[Style, list[int]] = defaultdict(list)
    for place in headings:
        if not _is_numbered(parts[place]):
            by_style[_style(parts[place])].append(place)
    gone: set[int] = set()
    for _, places in sorted(by_style.items(), key=lambda one: (one[0][0], one[0][1], -len(one[1]))):
        if sum(left.values()) <= LARGEST_SHARE * total or len(places) < FEW:
            continue
        gone.update(places)
        for place in places:
            del left[place]
    return gone


def _style(part: Part) -> Style:
    return round(part.size * 2) / 2, part.bold, part.font


def _is_numbered(part: Part) -> bool:
    return NUMBERED.match(part.text) is not None
