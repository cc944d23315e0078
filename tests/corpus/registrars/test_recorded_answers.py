from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpus.core.works import crossref, openalex, semantic_scholar, unpaywall
from corpus.core.works.work import Work

READERS = {
    "crossref": crossref,
    "doi.org": crossref,
    "openalex": openalex,
    "semanticscholar": semantic_scholar,
    "unpaywall": unpaywall,
}


@pytest.fixture(scope="module")
def odd_works(shared_data: Callable[[str], Path]) -> list[tuple[Work, dict[str, Any], list[str]]]:
    folder = shared_data("api-fixtures-dev")
    found = []
    for line in (folder / "odd_cases.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        body = json.loads((folder / row["file"]).read_text(encoding="utf-8"))
        body = body.get("body_json", body) if isinstance(body, dict) else body
        message = body.get("message", body) if isinstance(body, dict) else body
        items = message.get("items", [message]) if isinstance(message, dict) else message
        found.append((crossref.read_work(items[row["item"]]), items[row["item"]], row["odd"]))
    return found


def having(works: list[tuple[Work, dict[str, Any], list[str]]], mark: str) -> list[tuple[Work, dict[str, Any]]]:
    chosen = [(work, raw) for work, raw, odd in works if mark in odd]
    assert chosen
    return chosen


def test_every_recorded_exchange_is_read_without_an_exception(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("api-fixtures-dev") / "responses"
    exchanges = sorted(folder.glob("*/*.json"))

    works = [
        work
        for path in exchanges
        for work in READERS[path.parent.name].read(json.loads(path.read_text(encoding="utf-8")).get("body_json"))
    ]

    assert len(exchanges) == 219
    assert len(works) > 7000


def test_no_markup_and_no_entity_is_left_in_a_title(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    marked = (
        having(odd_works, "markup-in-title") + having(odd_works, "entity-in-title") + having(odd_works, "whitespace-in-title")
    )

    assert [work.title for work, _ in marked if "</" in work.title or "&amp;" in work.title or "  " in work.title] == []


def test_a_null_date_is_no_year(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    dated = [work for work, raw in having(odd_works, "issued-null-date") if not raw.get("published")]

    assert [work.csl["issued"] for work in dated if "issued" in work.csl] == []


def test_a_group_is_an_author_in_one_piece(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    groups = having(odd_works, "group-author")

    assert all(any("literal" in author for author in work.csl["author"]) for work, _ in groups)


def test_an_author_without_a_given_name_keeps_the_family_name(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    alone = having(odd_works, "author-without-given")

    assert all(any("family" in author and "given" not in author for author in work.csl["author"]) for work, _ in alone)


def test_shouted_author_names_are_written_normally(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    names = [
        author["family"]
        for work, _ in having(odd_works, "author-all-capitals")
        for author in work.csl["author"]
        if "family" in author
    ]

    assert [name for name in names if name.isupper() and name.replace("-", "").isalpha() and len(name) > 3] == []


def test_a_subtitle_follows_the_title_once(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    pairs = [(work.title, crossref.first_text(raw["subtitle"])) for work, raw in having(odd_works, "subtitle")]
    pairs = [(title, subtitle) for title, subtitle in pairs if title and subtitle]

    assert all(title.casefold().count(subtitle.casefold()) == 1 for title, subtitle in pairs)


def test_the_doi_is_kept_whole_with_its_odd_signs(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    assert [work.doi for work, raw in having(odd_works, "odd-characters-in-doi") if work.doi != raw["DOI"].lower()] == []


def test_an_editor_is_not_made_an_author(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    edited = having(odd_works, "editor-only")

    assert all("author" not in work.csl and work.csl["editor"] for work, _ in edited)


def test_a_work_without_a_title_identifies_nothing(odd_works: list[tuple[Work, dict[str, Any], list[str]]]) -> None:
    assert {work.title for work, _ in having(odd_works, "title-empty")} == {""}
