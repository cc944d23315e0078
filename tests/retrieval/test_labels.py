"""Filters in SQL mean what `matches` means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.models import Chunk
from retrieval import labels
from retrieval.core.filters import canonical, matches
from retrieval.labels import complete_facets, passing
from retrieval.models import Label
from tests.people import TwoTeams
from tests.retrieval.library import add_file

FIELDS = ["year", "authors", "journal", "tags", "issued", 'odd key\'s "name"']
WORDS = [
    "Nature",
    "nature",
    "Élan",
    "elan",
    "Neuro",
    "NeuroImage",
    "2020",
    "5",
    "5.0",
    "05",
    "-0",
    "",
    " ",
    "2025-03-01",
    "2025-03-01T10:00:00",
    "Straße",
    "ß",
    "ﬁ",
    "100%",
    "a_b",
    "日本",
]
NAMES = ["Juan García-López", "García-López, J.", "j garcia", "Lee", "Leeds", "van der Berg, Jan", "The ENCODE Consortium", "A."]
TEXT = st.one_of(st.sampled_from(WORDS + NAMES), st.text(max_size=6))
NUMBER = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2020, 2020.0, 2020.5, 1e22, 10**22, 2**53 + 1, 9007199254740992.0, 0.1, -0.0, 1e-7, 1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
)
SCALAR = st.one_of(TEXT, NUMBER, st.booleans())
STORED = st.one_of(SCALAR, st.lists(SCALAR, max_size=3), st.none(), st.just({"a": 1}))
METADATA = st.dictionaries(st.sampled_from(FIELDS), STORED, max_size=5)
COMPARISON = st.one_of(
    st.tuples(st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$contains"]), SCALAR),
    st.tuples(st.sampled_from(["$has", "$lacks", "$starts", "$ends"]), SCALAR),
    st.tuples(st.just("$exists"), st.booleans()),
    st.tuples(st.sampled_from(["$in", "$nin"]), st.lists(SCALAR, max_size=3)),
)
CLAUSE = st.builds(lambda field, comparison: {field: dict([comparison])}, st.sampled_from(FIELDS), COMPARISON)
WHERE = st.recursive(
    CLAUSE,
    lambda inner: st.builds(
        lambda word, parts: {word: parts}, st.sampled_from(["$and", "$or"]), st.lists(inner, min_size=1, max_size=3)
    ),
    max_leaves=5,
)


def storable(value: Any) -> bool:
    """Leave out what PostgreSQL can't hold in JSON: such metadata never reaches a row."""
    if isinstance(value, str):
        return "\x00" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, list):
        return all(storable(one) for one in value)
    return True


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(metadata=METADATA.filter(lambda held: all(storable(value) for value in held.values())), where=WHERE)
def test_sql_agrees_with_the_meaning(two_teams: TwoTeams, metadata: dict[str, Any], where: dict[str, Any]) -> None:
    filter_ = canonical(where)
    Label.objects.all().delete()
    label = Label.objects.create(collection=two_teams.papers, key="0" * 32, metadata=metadata)
    label.refresh_from_db()
    assert (passing(two_teams.papers.pk, filter_) == {"0" * 32}) == matches(filter_, label.metadata)


@pytest.mark.parametrize(
    ("where", "passes"),
    [
        ({"authors": "garcia"}, {"a"}),
        ({"authors": {"$contains": "J. García"}}, {"a"}),
        ({"authors": {"$ne": "Lee"}}, {"a"}),
        ({"journal": "NATURE"}, {"a"}),
        ({"journal": {"$contains": "nat"}}, {"a"}),
        ({"year": {"$gte": 2020}}, {"b"}),
        ({"year": {"$gte": "2020"}}, set()),
        ({"year": {"$nin": [1999]}}, {"b"}),
        ({"$or": [{"year": 1999}, {"year": 2024}]}, {"a", "b"}),
        ({"$and": [{"year": 1999}, {"year": 2024}]}, set()),
        ({"absent": {"$ne": "x"}}, set()),
    ],
)
def test_filters_choose_labels(two_teams: TwoTeams, where: dict[str, Any], passes: set[str]) -> None:
    held = {
        "a": {"authors": ["Juan García"], "journal": "Nature", "year": 1999},
        "b": {"authors": ["Bruce Lee"], "journal": "eLife", "year": 2024},
    }
    for name, metadata in held.items():
        add_file(two_teams.papers, name, ["text"], metadata=metadata)
    keys = {Label.objects.get(metadata=metadata).key.hex: name for name, metadata in held.items()}
    assert {keys[key] for key in passing(two_teams.papers.pk, canonical(where))} == passes


def test_the_database_keeps_each_metadata_once(two_teams: TwoTeams) -> None:
    add_file(two_teams.papers, "a.md", ["one", "two"], metadata={"year": 2020})
    add_file(two_teams.papers, "b.md", ["three"], metadata={"year": 2020})
    assert list(Label.objects.values_list("metadata", flat=True)) == [{"year": 2020}]


def test_relabelled_chunks_pass_by_their_new_metadata_at_once(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, "a.md", ["one"], metadata={"year": 2020})
    where = canonical({"year": 2021})
    assert passing(two_teams.papers.pk, where) == frozenset()
    Chunk.objects.filter(source_file=file).update(metadata={"year": 2021})
    assert len(passing(two_teams.papers.pk, where)) == 1


def test_labels_of_other_collections_do_not_pass(two_teams: TwoTeams) -> None:
    add_file(two_teams.herbarium, "a.md", ["one"], metadata={"year": 2020})
    assert passing(two_teams.papers.pk, canonical({"year": 2020})) == frozenset()


def test_facets_are_made_once(two_teams: TwoTeams) -> None:
    add_file(two_teams.papers, "a.md", ["one"], metadata={"year": 2020})
    assert complete_facets(two_teams.papers.pk) == 1
    assert complete_facets(two_teams.papers.pk) == 0


def test_facets_of_a_form_of_the_past_are_made_again(two_teams: TwoTeams) -> None:
    add_file(two_teams.papers, "a.md", ["one"], metadata={"year": 2020})
    Label.objects.update(facets={"year": {"old": ["2020"]}})
    labels._of_present_form.clear()
    assert len(passing(two_teams.papers.pk, canonical({"year": 2020}))) == 1
