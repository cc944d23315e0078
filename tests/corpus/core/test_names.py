from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.names import (
    display_person_names,
    expand_person_names,
    name_keys,
    name_matches,
    parse_name,
    parse_names,
    query_key,
    same_person,
)

LETTERS = st.text(alphabet="abcdefgABCDEFG äéñø-'.", min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("written", "given_names", "particle", "family", "suffix"),
    [
        ("Ludwig van Beethoven", "Ludwig", "van", "Beethoven", ""),
        ("van der Berg, J.", "J.", "van der", "Berg", ""),
        ("Beethoven, Ludwig van", "Ludwig", "van", "Beethoven", ""),
        ("Smith, Jr., John", "John", "", "Smith", "Jr."),
        ("John R. Smith Jr.", "John R.", "", "Smith", "Jr."),
        ("Sinha AB", "AB", "", "Sinha", ""),
        ("Smith V", "V", "", "Smith", ""),
        ("Bartolomé de las Casas", "Bartolomé", "de las", "Casas", ""),
        ("Jane Doe, PhD", "Jane", "", "Doe", ""),
        ("bell hooks", "bell", "", "hooks", ""),
        ("Plato", "", "", "Plato", ""),
        ("李 明", "明", "", "李", ""),
        ("X.-J. Wang", "X.-J.", "", "Wang", ""),
    ],
)
def test_a_written_name_is_taken_apart(written: str, given_names: str, particle: str, family: str, suffix: str) -> None:
    name = parse_name(written)
    assert (name.given, name.particle, name.family, name.suffix) == (given_names, particle, family, suffix)


def test_a_group_stays_whole() -> None:
    assert parse_name("The ENCODE Consortium").literal == "The ENCODE Consortium"
    assert parse_name("The ENCODE Consortium").display() == "The ENCODE Consortium"


@pytest.mark.parametrize("written", ["Jan van der Berg Jr.", "Ankur Sinha", "María García-López", "The Consortium"])
def test_a_name_reads_the_same_whichever_way_it_is_written(written: str) -> None:
    name = parse_name(written)
    assert parse_name(name.inverted()) == name
    assert name.display() == written


def test_names_sort_by_family_without_particle_and_case() -> None:
    written = ["Ludwig van Beethoven", "Élodie Zola", "Ada Ångström", "Bob Byron"]
    ordered = sorted(parse_names(written), key=lambda name: name.sort_key())
    assert [name.family for name in ordered] == ["Ångström", "Beethoven", "Byron", "Zola"]


@pytest.mark.parametrize("query", ["Sinha", "sinha", "A. Sinha", "Sinha, A", "ankur sinha", "SINHA ANKUR", "Ankur"])
def test_an_author_is_found_however_the_name_is_typed(query: str) -> None:
    assert name_matches(query, parse_name("Ankur Sinha"))


@pytest.mark.parametrize("query", ["garcia", "J. Garcia-Lopez", "García López", "juan lopez", "garcialopez", "JC Garcia"])
def test_diacritics_hyphens_and_initials_do_not_hide_an_author(query: str) -> None:
    assert name_matches(query, parse_name("Juan Carlos García-López"))


@pytest.mark.parametrize("query", ["Sin", "K. Sinha", "Leeds", ""])
def test_a_different_name_is_not_found(query: str) -> None:
    assert not name_matches(query, parse_name("Ankur Sinha"))


def test_one_person_is_recognised_in_two_spellings() -> None:
    assert same_person(parse_name("Sinha, A."), parse_name("Ankur Sinha"))
    assert same_person(parse_name("M Løvås"), parse_name("Lovas, Marie"))
    assert same_person(parse_name("J. van der Berg"), parse_name("Berg, Jan"))
    assert not same_person(parse_name("Sinha, B."), parse_name("Ankur Sinha"))
    assert not same_person(parse_name("Ann Smith"), parse_name("Ann Smythe"))
    assert not same_person(parse_name("The Consortium"), parse_name("Ann Smith"))


@given(st.lists(LETTERS))
def test_expanding_twice_changes_nothing(names: list[str]) -> None:
    once = expand_person_names(names)
    assert expand_person_names(once) == once


@given(st.lists(st.from_regex(r"[A-Z][a-z]{1,6} [A-Z][a-z]{1,6}", fullmatch=True), unique=True))
def test_the_list_shown_stays_clean(names: list[str]) -> None:
    assert display_person_names(expand_person_names(names)) == names


@given(LETTERS, LETTERS)
def test_a_full_name_always_finds_its_person(first: str, last: str) -> None:
    name = parse_name(f"{first} {last}")
    assert not query_key(name.display()) or not query_key(name.family) or query_key(name.family) in name_keys(name)


def test_what_is_no_text_is_left_out() -> None:
    assert expand_person_names(["A B", None, 3]) == ["A B", "a b", "A", "B", "a", "b"]
    assert parse_names(["A B", None, " "]) == (parse_name("A B"),)
