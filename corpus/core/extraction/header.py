"""Find title and authors among the lines of a first page, by what the lines look like and how they follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.core.extraction.author_lines import author_lines, joined_names
from corpus.core.extraction.author_names import split_authors
from corpus.core.extraction.lines import HeaderLine
from corpus.core.extraction.title import best_title, join_title
from corpus.core.extraction.traits import common_words, look_at
from corpus.core.names import parse_name, same_person

MOST_LINES = 400


@dataclass(frozen=True)
class FoundHeader:
    """The title and the authors of a first page, with the lines they stand in and how sure each is (0 to 1)."""

    title: str = ""
    title_lines: tuple[int, ...] = ()
    title_score: float = 0.0
    authors: tuple[str, ...] = ()
    author_lines: tuple[int, ...] = ()
    author_score: float = 0.0


def find_header(lines: Sequence[HeaderLine]) -> FoundHeader:
    """Find title and authors in the lines of a first page, given in reading order."""
    common = common_words(lines)
    traits = look_at(lines[:MOST_LINES], common)
    block = best_title(traits)
    if block is None:
        return FoundHeader()
    start, end, score = block
    places = author_lines(traits, start, end)
    authors = _distinct(split_authors(joined_names([traits[place].text for place in places]), common))
    return FoundHeader(
        title=join_title([trait.text for trait in traits[start:end]]),
        title_lines=tuple(range(start, end)),
        title_score=round(max(0.0, min(1.0, score / 4.0)), 3),
        authors=tuple(authors),
        author_lines=tuple(places),
        author_score=0.7 if authors else 0.0,
    )


def _distinct(names: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for name in names:
        if not any(same_person(parse_name(name), parse_name(other)) for other in kept):
            kept.append(name)
    return kept
