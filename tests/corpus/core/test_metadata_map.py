from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.metadata_map import (
    choose_map,
    links_of,
    normal_map,
    read_metadata_map,
    require_entries,
    resolve_metadata,
    searchable_metadata,
    split_urls,
    stored_metadata,
    url_label,
)

HEADINGS = st.lists(st.sampled_from(["A", "B", "C", "D"]), max_size=4)
ENTRIES = st.dictionaries(
    st.lists(st.sampled_from(["A", "B", "C"]), min_size=1, max_size=3).map(" > ".join),
    st.dictionaries(st.sampled_from(["url", "year"]), st.integers(), max_size=2),
)


@given(ENTRIES, HEADINGS)
def test_default_always_fills_what_the_heading_leaves_open(entries: dict[str, Any], headings: list[str]) -> None:
    folded = resolve_metadata({**entries, "DEFAULT": {"year": -1, "title": "T"}}, headings)
    assert folded is not None
    assert folded["title"] == "T"
    assert set(folded) >= {"year", "title"}


@given(ENTRIES, HEADINGS)
def test_what_is_merged_always_stands_in_one_entry(entries: dict[str, Any], headings: list[str]) -> None:
    folded = resolve_metadata(entries, headings)
    assert folded is None or folded in entries.values()


@pytest.mark.parametrize(
    ("key", "matches"),
    [("B", True), ("B > C", True), ("A > B", True), ("A > C", False), ("B > C > D", True), ("D", True)],
)
def test_any_contiguous_part_of_the_chain_matches(key: str, matches: bool) -> None:
    folded = resolve_metadata({key: {"u": 1}}, ["A", "B", "C", "D"])
    assert (folded == {"u": 1}) is matches


def test_the_longer_inner_part_wins() -> None:
    assert resolve_metadata({"B": {"u": "b"}, "B > C": {"u": "bc"}}, ["A", "B", "C", "D"]) == {"u": "bc"}
    assert resolve_metadata({"B": {"u": "b"}, "C": {"u": "c"}}, ["A", "B", "C", "D"]) == {"u": "c"}


def test_headings_match_whatever_their_spaces_and_hyphens() -> None:
    entries = {"Multi-\u00adscale\u00a0Model > Part": {"u": 1}}
    assert resolve_metadata(entries, ["Multi-scale Model", "Part"]) == {"u": 1}


def test_a_map_of_another_form_is_refused() -> None:
    with pytest.raises(TypeError, match="JSON object"):
        normal_map(["x"])
    with pytest.raises(TypeError, match=r"a\.pdf"):
        normal_map({"a.pdf": "title"})
    with pytest.raises(ValueError, match="empty"):
        read_metadata_map("{}")


def test_a_file_without_entry_is_named() -> None:
    with pytest.raises(ValueError, match=r"b\.pdf"):
        require_entries({"a.pdf": {"DEFAULT": {"year": 1}}}, ["a.pdf", "b.pdf"])
    assert require_entries({"a.pdf": {"DEFAULT": {"year": 1}}}, ["a.pdf"]) == []
    assert choose_map(None, None) is None


def test_links_carry_their_label() -> None:
    values = {"url": "u", "url_1": "v", "url_orcid": "o", "url_lab_page": "l", "url_2": "v", "title": "t"}
    assert links_of(values) == [("", "u"), ("", "v"), ("orcid", "o"), ("lab page", "l")]
    assert url_label("url_doi") == "doi"


def test_urls_get_free_numbers() -> None:
    assert split_urls({"urls": ["a", "b"], "url_2": "x"}) == {"url_2": "x", "url_1": "a", "url_3": "b"}


def test_derived_keys_and_sources_are_not_stored() -> None:
    assert stored_metadata({"_sources": ["x"], "source_url": "y", "mine": 1}) == {"mine": 1}


def test_authors_stay_clean_beside_their_search_keys() -> None:
    found = searchable_metadata({"authors": ["María García-López"], "year": None})
    assert found["authors"] == ["María García-López"]
    assert {"garcia", "m garcia lopez", "garcia lopez"} <= set(found["author_keys"])
    assert "year" not in found
    assert "author_keys" not in searchable_metadata({"authors": "no list"})
