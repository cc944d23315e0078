"""Filters: one form, one meaning, no surprise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.conditions import OPERATORS, as_filter, read_conditions
from retrieval.core.filter_modes import chosen, read_mode
from retrieval.core.filter_operands import check, normalise
from retrieval.core.filters import COMPARISONS, FilterError, canonical, combine, fields_of, matches, restrict
from retrieval.core.query_schema import stated_filters
from retrieval.core.written_filters import read_written_filters
from tests.retrieval.test_labels import METADATA, WHERE


@given(where=WHERE)
def test_the_canonical_form_is_canonical(where: dict[str, Any]) -> None:
    once = canonical(where)
    assert canonical(once) == once


@given(where=WHERE, metadata=METADATA)
def test_a_canonical_filter_means_what_its_parts_mean(where: dict[str, Any], metadata: dict[str, Any]) -> None:
    one = canonical(where)
    both, either = combine([one, one]), canonical({"$or": [one, one]})
    assert matches(both, metadata) == matches(either, metadata) == matches(one, metadata)


@given(where=WHERE)
def test_what_is_restricted_names_only_what_is_allowed(where: dict[str, Any]) -> None:
    left = restrict(canonical(where), ["year", "tags"])
    assert fields_of(left) <= {"year", "tags"}


@given(where=WHERE, metadata=METADATA)
def test_a_restricted_filter_never_lets_less_pass(where: dict[str, Any], metadata: dict[str, Any]) -> None:
    whole = canonical(where)
    if matches(whole, metadata):
        assert matches(restrict(whole, ["year"]), metadata)


@given(metadata=METADATA, field=st.sampled_from(["year", "tags", "absent"]), value=st.text(max_size=5))
def test_negative_operators_want_a_value(metadata: dict[str, Any], field: str, value: str) -> None:
    held = matches({field: {"$exists": True}}, metadata)
    for positive, negative in (("$eq", "$ne"), ("$has", "$lacks")):
        assert matches({field: {negative: value}}, metadata) == (held and not matches({field: {positive: value}}, metadata))


@pytest.mark.parametrize(
    ("where", "metadata", "passes"),
    [
        ({"year": {"$gte": 2020}}, {"year": "2021"}, True),
        ({"year": {"$gte": "2020"}}, {"year": 2021}, False),
        ({"code": {"$eq": "5"}}, {"code": "05"}, False),
        ({"tags": {"$has": "alp"}}, {"tags": ["Alpha", "beta"]}, True),
        ({"tags": {"$contains": "alp"}}, {"tags": ["Alpha", "beta"]}, False),
        ({"tags": {"$lacks": "alp"}}, {"tags": ["Alpha", "beta"]}, False),
        ({"file": {"$ends": ".PDF"}}, {"file": "thesis.pdf"}, True),
        ({"note": {"$exists": False}}, {"note": "  "}, True),
        ({"issued": {"$gt": "2025-01-01"}}, {"issued": "2025-03-01T10:00:00"}, True),
        ({"authors": {"$eq": "J. Garcia"}}, {"authors": ["Juan García-López"]}, True),
        ({"authors": {"$eq": "Lee"}}, {"authors": ["Leeds"]}, False),
    ],
)
def test_values_compare_by_their_kind(where: dict[str, Any], metadata: dict[str, Any], passes: bool) -> None:
    assert matches(canonical(where), metadata) is passes


@pytest.mark.parametrize(
    "where", [{"a": {"$like": 1}}, {"$not": [{"a": 1}]}, {"a": {"$in": "x"}}, {"a": {"$exists": "yes"}}, {"a": None}, [], {"": 1}]
)
def test_what_cannot_be_understood_is_refused_with_what_can(where: Any) -> None:
    with pytest.raises(FilterError):
        canonical(where)


def test_an_unknown_operator_is_answered_by_all_known_ones() -> None:
    with pytest.raises(FilterError) as caught:
        canonical({"a": {"$like": 1}})
    assert all(name in str(caught.value) for name in COMPARISONS)


def test_deep_nesting_is_refused() -> None:
    where: dict[str, Any] = {"a": 1}
    for _ in range(50):
        where = {"$or": [where, {"b": 1}]}
    with pytest.raises(FilterError, match="nested"):
        canonical(where)


def test_a_filter_on_an_undeclared_field_is_refused_with_the_declared_ones() -> None:
    with pytest.raises(FilterError, match=r"year \(int\)"):
        check({"month": {"$eq": 1}}, {"year": "int"})


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_every_outside_operator_becomes_a_filter(operator: str) -> None:
    conditions = read_conditions({"conditions": [{"name": "n", "comparison_operator": operator, "value": "2024-05-01"}]})
    assert fields_of(as_filter(conditions)) == {"n"}


@pytest.mark.parametrize(
    ("question", "text", "where"),
    [
        ("gating year:2019", "gating", {"year": {"$eq": 2019}}),
        ("year:2010..2015 gating", "gating", {"$and": [{"year": {"$gte": 2010}}, {"year": {"$lte": 2015}}]}),
        ('by authors:"de Souza"?', "by ?", {"authors": {"$contains": "de Souza"}}),
        ("-tags:review gating", "gating", {"tags": {"$ne": "review"}}),
        ("at 10:30, ratio:3 and https://e.org", "at 10:30, ratio:3 and https://e.org", None),
        ("year:soon", "year:soon", None),
    ],
)
def test_people_write_filters_into_questions(question: str, text: str, where: Any) -> None:
    read = read_written_filters(question, {"year": "int", "authors": "list", "tags": "list"})
    assert (read.text, read.where) == (text, where)


@given(question=st.text(max_size=60))
def test_a_question_without_declared_fields_is_left_word_for_word(question: str) -> None:
    assert read_written_filters(question, {}).text == question


def test_what_a_model_states_becomes_a_filter() -> None:
    stated = stated_filters({"search_query": "x", "year": {"gte": 2010, "lte": None}, "tags": ["a", "b"]})
    assert normalise(stated, {"year": "int", "tags": "list"}) == {
        "$and": [{"year": {"$gte": 2010}}, {"$and": [{"tags": {"$contains": "a"}}, {"tags": {"$contains": "b"}}]}]
    }


def test_a_model_that_answers_nonsense_filters_nothing() -> None:
    mode, _ = read_mode({"method": "auto"}, in_use={"year"})
    for nonsense in ("{", "[]", 7, {"conditions": "x"}, {"conditions": [{"key": "year"}]}, None):
        assert chosen(mode, nonsense).where is None
