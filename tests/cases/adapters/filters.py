"""Cases of filters: the language, its meaning in memory and in the database, and the doors of others to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from corpus.backend import from_settings
from retrieval.core.conditions import AnyOf, Condition, ConditionError, as_filter, items_of, logic_of, read_conditions
from retrieval.core.filter_operands import clauses_of
from retrieval.core.filters import Filter, FilterError, canonical, combine, matches, restrict
from retrieval.core.query_schema import DeclaredField, field_lines, query_schema, stated_filters
from retrieval.labels import passing
from retrieval.models import Label
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs
from tests.people import TwoTeams

ERRORS = {"ValueError": ValueError, "TypeError": TypeError}


def raising(case: Case, act: Callable[[], object]) -> bool:
    """Run a case that wants an error; tell whether it was one."""
    if "raises" not in case:
        return False
    with pytest.raises(ERRORS[case["raises"]]):
        act()
    return True


@runs("validate_metadata_filter")
def filters_become_canonical(case: Case, _suite: Suite) -> None:
    given = case["input"]["filter"]
    if not raising(case, lambda: canonical(given)):
        assert canonical(given) == case["expect"]
        assert canonical(case["expect"]) == case["expect"]


@runs("normalize_config_filters")
def operands_become_clauses(case: Case, suite: Suite) -> None:
    declared = {one["name"]: one["value_type"] for one in suite.facts["fields"]}
    given = case["input"]["filters"]
    if raising(case, lambda: clauses_of(given, declared)):
        return
    clauses, dropped = clauses_of(given, declared)
    assert clauses == case["expect"]
    assert dropped == ([case["warns_about"]] if "warns_about" in case else [])


@runs("combine_filter_clauses")
def clauses_are_joined(case: Case, _suite: Suite) -> None:
    assert combine(case["input"]["clauses"]) == case["expect"]


@runs("restrict_metadata_filter")
def a_domain_sees_what_it_declares(case: Case, _suite: Suite) -> None:
    assert restrict(case["input"]["filter"], case["input"]["allowed"]) == case["expect"]


@runs("filter_docs_by_metadata")
def metadata_passes(case: Case, suite: Suite, two_teams: TwoTeams) -> None:
    docs = case["input"].get("docs", suite.facts["default_docs"])
    where = canonical(case["input"]["filter"])
    assert in_both(where, {doc["id"]: doc["metadata"] for doc in docs}, two_teams) == case["expect"]


@runs("backend_filter_translation", when=lambda case: "docs" in case["input"])
def a_real_store_filters_alike(case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    docs = {doc["id"]: doc["metadata"] for doc in case["input"]["docs"]}
    assert [in_both(canonical(where), docs, two_teams) for where in case["input"]["filters"]] == case["expect"]


@runs("backend_filter_translation", when=lambda case: "path" in case["input"])
def an_unknown_back_end_is_refused(case: Case, _suite: Suite) -> None:
    assert case["raises"] == "ValueError"
    with pytest.raises(ImproperlyConfigured, match="nope"):
        from_settings("VECTOR_STORES", case["input"]["path"].partition(":")[0])


@runs("backend_filter_translation")
def back_ends_get_the_canonical_form(case: Case, _suite: Suite) -> None:
    assert canonical(case["input"]["filter"]) == case["expect"]


@runs("retrieval_query_schema")
def unusable_fields_are_no_properties(case: Case, _suite: Suite) -> None:
    fields = [DeclaredField(one["name"], one["value_type"]) for one in case["input"]["fields"]]
    assert list(query_schema(fields)["properties"]) == case["expect"]["properties"]


@runs("retrieval_query_update")
def a_reply_becomes_clauses(case: Case, _suite: Suite) -> None:
    declared = {one["name"]: one["value_type"] for one in case["input"]["fields"]}
    stated = stated_filters(case["input"]["output"])
    assert clauses_of(stated, declared)[0] == case["expect"]["clauses"]
    if "filters" in case["expect"]:
        assert stated == case["expect"]["filters"]


@runs("allowed_filter_fields_prompt")
def allowed_fields_are_listed(case: Case, _suite: Suite) -> None:
    by_domain = {
        domain: [DeclaredField(one["name"], one["value_type"], one["description"]) for one in fields]
        for domain, fields in case["input"]["by_domain"].items()
    }
    listed = field_lines(by_domain, case["input"]["domains"])
    expected = case["expect"]
    assert listed == expected if isinstance(expected, str) else listed.splitlines() == expected


@runs("operator_names")
def outside_conditions_are_read(case: Case, _suite: Suite) -> None:
    if isinstance(case["expect"], dict):
        with pytest.raises(ConditionError, match=r"Allowed|needs") as caught:
            read_conditions(case["input"])
        assert caught.value.code == case["expect"]["error"]
    else:
        assert [told(one) for one in read_conditions(case["input"])] == case["expect"]


def told(condition: Condition | AnyOf) -> dict[str, Any]:
    if isinstance(condition, AnyOf):
        return {"any": [told(one) for one in condition.conditions]}
    return {"key": condition.key, "op": condition.op, "value": condition.value}


@runs("filter_logic")
def the_joining_word_is_read(case: Case, _suite: Suite) -> None:
    if isinstance(case["expect"], dict):
        with pytest.raises(ConditionError, match="Allowed: and, or"):
            logic_of(case["input"])
    else:
        assert logic_of(case["input"]) == case["expect"]


@runs("list_values_from_text")
def comma_text_becomes_items(case: Case, _suite: Suite) -> None:
    assert items_of(case["input"]) == case["expect"]


@runs("metadata_filter")
def conditions_choose_documents(case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    given = case["input"]

    def where() -> Filter | None:
        return as_filter(read_conditions(given), logic_of(given))

    if isinstance(case["expect"], dict):
        with pytest.raises(ConditionError, match="Allowed") as caught:
            where()
        assert caught.value.code == case["expect"]["error"]
    elif case["expect"] == "unfiltered":
        assert where() is None
    else:
        assert in_both(where(), given["docs"], two_teams) == case["expect"]


def in_both(where: Filter | None, docs: dict[str, Any], teams: TwoTeams) -> list[str]:
    """Return the documents that pass, by the meaning and by the database, which must agree."""
    assert where is not None
    by_meaning = sorted(name for name, metadata in docs.items() if matches(where, metadata))
    keys = {name: f"{number:032x}" for number, name in enumerate(docs)}
    Label.objects.filter(collection=teams.papers).delete()
    Label.objects.bulk_create(Label(collection=teams.papers, key=keys[name], metadata=docs[name]) for name in docs)
    passed = passing(teams.papers.pk, where)
    assert sorted(name for name in docs if keys[name] in passed) == by_meaning
    return by_meaning


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "filter_errors_are_loud")
def filter_errors_say_what_is_allowed(_case: Case, _suite: Suite) -> None:
    for wrong in ({"year": {"$like": 1}}, {"$xor": [{"year": 1}]}):
        with pytest.raises(FilterError, match="Allowed"):
            canonical(wrong)
    with pytest.raises(ConditionError, match="Allowed: and, or"):
        logic_of({"logic": "xor"})
