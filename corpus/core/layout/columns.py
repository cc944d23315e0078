"""The order of reading: a page is cut into columns, and where something spans them, into bands of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from corpus.core.layout.line import Line, Rect, around, make_line

LEAST_LINES: Final = 3
LEAST_GAP: Final = 0.55
LEAST_SHARE: Final = 0.1
SHORT_TEXT: Final = 18
SAME_ROW: Final = 0.5
STRETCHED: Final = 2.6
DEEPEST: Final = 5


@dataclass(frozen=True)
class Cut:
    """What a gutter does to the lines of a region: those left and right of it, and those that cross it."""

    left: tuple[Line, ...]
    right: tuple[Line, ...]
    crossing: tuple[Line, ...]


def regions_of(lines: Sequence[Line], body: float, depth: int = 0) -> list[list[Line]]:
    """Return the parts of a page in the order in which they are read, each with its lines from top to bottom.

    Args:
        lines: of one page, or of a part of it.
        body: height of most lines.
        depth: how often the page was cut already.
    """
    cut = best_cut(lines, body) if depth < DEEPEST else None
    if cut is None:
        return [rejoined(lines, body)] if lines else []
    found: list[list[Line]] = []
    for crossing, left, right in _bands(cut):
        found += regions_of(crossing, body, depth + 1)
        found += regions_of(left, body, depth + 1)
        found += regions_of(right, body, depth + 1)
    return found


def best_cut(lines: Sequence[Line], body: float) -> Cut | None:
    """Return the cut along the gutter with most text on its both sides, or None where there is no gutter."""
    starts = Counter(round(line.rect.left / 3) for line in lines)
    edges = [start * 3 - 3.0 for start, count in starts.items() if count + starts[start + 1] >= LEAST_LINES]
    best, most = None, LEAST_LINES * body
    width = around(line.rect for line in lines).width if lines else 0.0
    for edge in edges:
        cut = _cut_at(lines, edge, LEAST_GAP * body)
        weight = _weight(cut, body, LEAST_SHARE * width)
        if weight > most:
            best, most = cut, weight
    return best


def in_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Return lines by rows, top to bottom, each from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.rect.middle):
        first = rows[-1][0].rect if rows else None
        if first is not None and abs(line.rect.middle - first.middle) < SAME_ROW * min(first.height, line.rect.height):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda one: one.rect.left) for row in rows]


def rejoined(lines: Sequence[Line], body: float) -> list[Line]:
    """Return the lines of one column from top to bottom; a line that justification tore apart is one again."""
    rows = in_rows(lines)
    frames = [around(line.rect for line in row) for row in rows]
    whole: list[Line] = []
    for at, row in enumerate(rows):
        beside = [frames[other] for other in (at - 1, at + 1) if 0 <= other < len(rows) and len(rows[other]) == 1]
        torn = len(row) > 1 and all(
            after.rect.left - before.rect.right < STRETCHED * body and before.font == after.font
            for before, after in pairwise(row)
        )
        if torn and any(abs(frames[at].left - one.left) < body and abs(frames[at].right - one.right) < 2 for one in beside):
            whole.append(make_line([cell for line in row for cell in line.cells]))
        else:
            whole += row
    return whole


def places_of(pictures: Sequence[Rect], blocks: Sequence[Rect]) -> list[int]:
    """Return for each picture before which block it is read: the first one below it in its column, else at the end."""
    places = []
    for picture in pictures:
        below = (
            place
            for place, block in enumerate(blocks)
            if block.top >= picture.middle and min(block.right, picture.right) - max(block.left, picture.left) > 0
        )
        places.append(next(below, len(blocks)))
    return places


def _cut_at(lines: Sequence[Line], edge: float, gap: float) -> Cut:
    left: list[Line] = []
    right: list[Line] = []
    crossing: list[Line] = []
    for line in lines:
        if line.rect.left >= edge:
            right.append(line)
        elif line.rect.right <= edge + 3 - gap:
            left.append(line)
        else:
            crossing.append(line)
    return Cut(tuple(left), tuple(right), tuple(crossing))


def _weight(cut: Cut, body: float, least_width: float) -> float:
    """Return how much text stands side by side left and right of a gutter; 0 where it isn't two columns of text."""
    if len(cut.left) < LEAST_LINES or len(cut.right) < LEAST_LINES:
        return 0.0
    if min(around(line.rect for line in side).width for side in (cut.left, cut.right)) < least_width:
        return 0.0
    weight = 0.0
    for _, left, right in _bands(cut):
        if len(left) >= LEAST_LINES and len(right) >= LEAST_LINES and not _is_table(left, right, body):
            weight += min(sum(line.rect.height for line in side) for side in (left, right))
    return weight


def _is_table(left: Sequence[Line], right: Sequence[Line], body: float) -> bool:
    """Tell whether the lines beside each other are the cells of rows: level with each other, and short."""
    fewer, more = sorted((left, right), key=len)
    levels = sorted(line.rect.middle for line in more)
    level = sum(any(abs(line.rect.middle - other) < 0.25 * body for other in levels) for line in fewer)
    short = min(median(len(line.text) for line in side) for side in (left, right))
    return short < SHORT_TEXT and level >= 0.7 * len(fewer)


def _bands(cut: Cut) -> list[tuple[list[Line], list[Line], list[Line]]]:
    """Return from top to bottom what crosses the gutter and what stands left and right below it."""
    bands: list[tuple[list[Line], list[Line], list[Line]]] = [([], [], [])]
    crossing = sorted(cut.crossing, key=lambda line: line.rect.middle)
    sides = sorted(
        [(line.rect.middle, 1, line) for line in cut.left] + [(line.rect.middle, 2, line) for line in cut.right],
        key=lambda one: one[0],
    )
    at = 0
    for line in crossing:
        while at < len(sides) and sides[at][0] < line.rect.middle:
            bands[-1][sides[at][1]].append(sides[at][2])
            at += 1
        if bands[-1][1] or bands[-1][2]:
            bands.append(([], [], []))
        bands[-1][0].append(line)
    for _, side, line in sides[at:]:
        bands[-1][side].append(line)
    return bands
