"""The comparisons themselves, and the floor that the reading of raw headers must not fall under."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.core.accuracy import authors_are_right, doi_is_right, title_is_right
from corpus.core.extraction.author_names import split_authors
from corpus.core.extraction.header import find_header
from corpus.core.extraction.lines import HeaderLine
from corpus.core.extraction.own_doi import own_dois


def headers(folder: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / "header.jsonl.gz", "rt", encoding="utf-8") as rows:
        yield from map(json.loads, rows)


def test_titles_compare_by_their_letters() -> None:
    assert title_is_right("De\ufb01ning THE machine!", ["Defining the Machine"])
    assert title_is_right("A title of two lines", ["A title", "of two lines"])
    assert not title_is_right("Another thing", ["Defining the Machine"])
    assert not title_is_right("", [""])


def test_authors_compare_by_family_name_and_order() -> None:
    assert authors_are_right(["J. García", "Bob van der Berg"], ["Garcia, Juan", "van der Berg, B."])
    assert not authors_are_right(["Bob Berg", "J. García"], ["Garcia, Juan", "Berg, B."])
    assert not authors_are_right(["J. García"], ["Garcia, Juan", "Berg, B."])


def test_dois_compare_without_case() -> None:
    assert doi_is_right("https://doi.org/10.1000/ABC", ["10.1000/abc"])
    assert not doi_is_right("", ["10.1000/abc"])


@pytest.mark.slow
def test_raw_headers_are_read_at_least_this_well(shared_data: Callable[[str], Path]) -> None:
    rows = list(headers(shared_data("meta-grobid-header-dev")))
    found = [find_header([HeaderLine(line) for line in row["text"].split("\n")]) for row in rows]
    titles = [title_is_right(header.title, row["title_all"]) for header, row in zip(found, rows, strict=True)]
    true_authors = [[name for raw in row["authors_raw"] for name in split_authors(raw)] for row in rows]
    authors = [authors_are_right(header.authors, truth) for header, truth in zip(found, true_authors, strict=True) if truth]
    assert sum(titles) / len(titles) >= 0.88
    assert sum(authors) / len(authors) >= 0.85


def test_no_doi_of_another_work_is_taken_for_sure(shared_data: Callable[[str], Path]) -> None:
    rows = [row for row in headers(shared_data("meta-grobid-header-dev")) if row["doi"]]
    best = [(found[0] if (found := own_dois(row["text"])) else None, row["doi"]) for row in rows]
    wrong = [entry for entry, truth in best if entry is not None and not entry.doubt and not doi_is_right(entry.value, truth)]
    right = [entry for entry, truth in best if entry is not None and doi_is_right(entry.value, truth)]
    assert wrong == []
    assert len(right) / len(rows) >= 0.97
