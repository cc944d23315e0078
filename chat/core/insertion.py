"""Markers put into an answer that has none: each sentence gets the sources that are most like it, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from chat.core.citations import CANONICAL
from chat.core.sentences import sentences

FLOOR: Final = 0.5
NEAR_BEST: Final = 0.99
MOST_MARKERS: Final = 4
SHORTEST: Final = 5

_CLOSING: Final = re.compile(r"[.!?…。！？:]+[\"'”’»)\]」』]*\Z")


@dataclass(frozen=True)
class Piece:
    """A sentence, a table or a block of code: `text[start:end]`."""

    start: int
    end: int
    text: str
    is_code: bool = False

    @property
    def is_table(self) -> bool:
        """Whether it is made of table rows."""
        return self.text.startswith("|") and self.text.endswith("|")


Likeness = Callable[[int, Piece], Sequence[float]]
"""How like a piece (by its place) is to each source, 0..1."""


def insert_markers(answer: str, likeness: Likeness, *, numbers: Sequence[int], floor: float = FLOOR) -> str:
    """Put markers into the sentences of an answer that have none.

    A sentence gets every source that is nearly as like it as the best one, at most four, in the order of their numbers; none if
    the best is below the floor: a citation that is not there is better than a wrong one. Code is left alone; a table gets its
    markers in its last cell.

    Args:
        answer: Markdown.
        likeness: of a piece to each source.
        numbers: of the sources, in the order that `likeness` has them.
        floor: least likeness of a source that is named.

    >>> insert_markers("It fires. It rests.", lambda place, _: [0.9, 0.1] if place else [0.2, 0.3], numbers=[1, 2])
    'It fires. It rests [1].'
    """
    parts: list[str] = []
    position = 0
    for place, piece in enumerate(pieces(answer)):
        named = _named(likeness(place, piece), numbers, floor)
        skipped = piece.is_code or len(piece.text) < SHORTEST or CANONICAL.search(piece.text) is not None
        if named and not skipped:
            parts += [answer[position : piece.start], _marked(piece, "".join(f"[{n}]" for n in named))]
            position = piece.end
    return "".join([*parts, answer[position:]])


def pieces(answer: str) -> Iterator[Piece]:
    """Give the sentences of an answer; the rows of a table, and a block of code, are one piece."""
    rows: Piece | None = None
    for part in sentences(answer):
        piece = Piece(part.start, part.end, part.text, is_code=part.is_code)
        in_table = not piece.is_code and _line_of(answer, piece.start).startswith("|")
        if rows is not None and not in_table:
            yield rows
            rows = None
        if in_table:
            rows = piece if rows is None else Piece(rows.start, piece.end, answer[rows.start : piece.end])
        else:
            yield piece
    if rows is not None:
        yield rows


def _line_of(text: str, place: int) -> str:
    start = text.rfind("\n", 0, place) + 1
    return text[start : place + 1].lstrip()


def _named(likeness: Sequence[float], numbers: Sequence[int], floor: float) -> list[int]:
    best = max(likeness, default=0.0)
    if best < floor:
        return []
    near = [(n, value) for n, value in zip(numbers, likeness, strict=False) if value >= max(floor, NEAR_BEST * best)]
    return sorted(n for n, _ in sorted(near, key=lambda one: (-one[1], one[0]))[:MOST_MARKERS])


def _marked(piece: Piece, markers: str) -> str:
    if piece.is_table:
        inside = piece.text[:-1].rstrip()
        return f"{inside} {markers} |"
    closing = _CLOSING.search(piece.text)
    if closing is None:
        return f"{piece.text} {markers}"
    return f"{piece.text[: closing.start()]} {markers}{closing.group()}"
