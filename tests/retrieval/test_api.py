"""Search over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.models import FilterField
from tests.people import TwoTeams
from tests.retrieval.library import add_file, index


@pytest.fixture
def library(two_teams: TwoTeams) -> TwoTeams:
    FilterField.objects.create(domain=two_teams.physics, name="year", value_type="int", description="of publication")
    index(add_file(two_teams.papers, "calcium.md", ["Calcium channels open."], metadata={"year": 1990}))
    index(add_file(two_teams.papers, "sodium.md", ["Sodium channels inactivate."], metadata={"year": 2020}))
    index(add_file(two_teams.herbarium, "moss.md", ["Calcium in mosses."]))
    return two_teams


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def post(user: User, **body: Any) -> Any:
    return signed_in(user).post("/api/v1/search", json.dumps(body), content_type="application/json")


def test_a_search_gives_passages_with_their_places(library: TwoTeams) -> None:
    answer = post(library.ada, text="calcium channels").json()
    first = answer["hits"][0]
    assert (first["text"], first["pages"], first["file_name"], first["rank"]) == ("Calcium channels open.", [1], "calcium.md", 1)
    assert answer["total"] == 2
    assert answer["trace"] is None


def test_a_search_by_address_is_the_same_search(library: TwoTeams) -> None:
    by_address = signed_in(library.ada).get("/api/v1/search", {"q": "calcium channels", "filter": '{"year": 1990}'}).json()
    assert by_address["hits"] == post(library.ada, text="calcium channels", filter={"year": 1990}).json()["hits"]
    assert [hit["file_name"] for hit in by_address["hits"]] == ["calcium.md"]


def test_a_foreign_domain_is_unknown(library: TwoTeams) -> None:
    for filter_ in (None, {"year": 1990}):
        answer = post(library.ada, text="calcium", domains=["botany"], filter=filter_)
        assert answer.status_code == 404
        assert answer.json()["error"] == "There is no domain botany."


@pytest.mark.parametrize(
    ("filter_", "part"),
    [
        ({"colour": "red"}, "Unknown filter field: colour. Allowed: year (int)."),
        ({"year": {"$like": 1}}, "$like is no operator"),
        ({"year": {"$gte": "2020"}}, "compares with a number"),
        ({"$not": []}, "$not is no combinator"),
        ({"year": {"$in": 3}}, "takes a list"),
    ],
)
def test_a_filter_that_is_wrong_is_refused_with_what_is_allowed(library: TwoTeams, filter_: dict[str, Any], part: str) -> None:
    answer = post(library.ada, text="calcium", filter=filter_)
    assert answer.status_code == 400
    assert part in answer.json()["error"]
    assert answer.json()["advice"]


def test_allowed_fields_and_operators_are_listed(library: TwoTeams) -> None:
    assert post(library.ada, text="calcium", filter={"colour": 1}).json()["allowed"] == ["year (int)"]
    assert "$gte" in post(library.ada, text="calcium", filter={"year": {"$like": 1}}).json()["allowed"]


@pytest.mark.parametrize("told", ["{", "[1]", '"x"'])
def test_a_filter_in_an_address_must_be_an_object(library: TwoTeams, told: str) -> None:
    assert signed_in(library.ada).get("/api/v1/search", {"q": "calcium", "filter": told}).status_code == 400


def test_a_filter_is_not_relaxed_unless_asked_for(library: TwoTeams) -> None:
    assert post(library.ada, text="calcium", filter={"year": 1066}).json()["hits"] == []
    relaxed = post(library.ada, text="calcium", filter={"year": 1066}, relax=True).json()
    assert relaxed["hits"]
    assert relaxed["notices"] == ["Nothing in Physics passes the filter; it was left out."]


@pytest.mark.parametrize("body", [{}, {"text": "x" * 20_001}, {"text": "x", "limit": 0}, {"text": "x", "threshold": 2}])
def test_a_request_out_of_bounds_is_refused(library: TwoTeams, body: dict[str, Any]) -> None:
    assert post(library.ada, **body).status_code == 422


def test_an_empty_question_finds_nothing(library: TwoTeams) -> None:
    assert post(library.ada, text="  ").json() == {"hits": [], "total": 0, "notices": [], "trace": None}


def test_the_trace_comes_on_request(library: TwoTeams) -> None:
    assert post(library.ada, text="calcium", trace=True).json()["trace"]["steps"]


def test_stores_and_fields_of_ones_own_domains_are_listed(library: TwoTeams) -> None:
    stores = signed_in(library.ada).get("/api/v1/stores").json()
    assert {(store["domain"], store["kind"]) for store in stores} == {("physics", "vector"), ("physics", "bm25")}
    assert all(store["default_k"] <= store["k_max"] for store in stores)
    fields = signed_in(library.ada).get("/api/v1/filter-fields").json()
    assert fields == [{"domain": "physics", "name": "year", "value_type": "int", "description": "of publication"}]
    assert signed_in(library.cleo).get("/api/v1/filter-fields").json() == []


def test_one_who_is_not_signed_in_is_refused(library: TwoTeams) -> None:
    assert Client().get("/api/v1/search", {"q": "calcium"}).status_code == 401
