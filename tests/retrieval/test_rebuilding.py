"""Stores built anew and switched."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from retrieval import rebuilding
from retrieval.models import Embedding, Store
from retrieval.opening import keyword_store_of
from retrieval.search import SearchRequest, search
from tests.people import TwoTeams
from tests.retrieval.library import add_file, index


@pytest.fixture
def library(two_teams: TwoTeams) -> TwoTeams:
    index(add_file(two_teams.papers, "a.md", ["Calcium channels open.", "Sodium channels close."]))
    return two_teams


def store_of(library: TwoTeams, kind: str) -> Store:
    found: Store = Store.objects.get(collection=library.papers, kind=kind, enabled=True)
    return found


def test_a_keyword_store_is_built_anew(library: TwoTeams) -> None:
    store = store_of(library, "bm25")
    backend, at = keyword_store_of(store)
    backend.drop(at)
    assert rebuilding.rebuild(store) == 2


def test_a_vector_store_gets_what_it_lacks(library: TwoTeams) -> None:
    store = store_of(library, "vector")
    Embedding.objects.filter(store=store).delete()
    told: list[tuple[int, int]] = []
    assert rebuilding.rebuild(store, told=lambda *now: told.append(now)) == 2
    assert told == [(1, 1)]


def test_a_store_of_the_present_model_takes_the_place_of_the_old(library: TwoTeams, settings: Any) -> None:
    old = store_of(library, "vector")
    settings.EMBEDDERS = {**settings.EMBEDDERS, "small": {**settings.EMBEDDERS["hashing"], "OPTIONS": {"dimension": 64}}}
    settings.EMBEDDER = "small"
    new = rebuilding.renew(old)
    assert (new.model, new.name, new.enabled) == ("hashing-64", "meaning-2", True)
    hits = search(SearchRequest(text="calcium channels", user=library.ada)).hits
    assert set(hits[0].ranks) == {"physics/papers/meaning-2", "physics/papers/words"}
    old.refresh_from_db()
    assert not old.enabled
    rebuilding.switch(new, old)
    assert store_of(library, "vector") == old
    assert rebuilding.renew(new).name == "meaning-3"


def test_a_store_that_is_discarded_leaves_nothing(library: TwoTeams) -> None:
    for kind in ("vector", "bm25"):
        rebuilding.discard(store_of(library, kind))
    assert not Store.objects.filter(collection=library.papers).exists()
    assert not Embedding.objects.exists()


def test_the_command_builds_what_is_named(library: TwoTeams) -> None:
    out = StringIO()
    call_command("rebuild_store", store_of(library, "bm25").pk, stdout=out, stderr=StringIO())
    assert out.getvalue() == "physics/papers/words: 2 passages.\n"
    out = StringIO()
    call_command("rebuild_store", domain="physics", stdout=out, stderr=StringIO())
    assert out.getvalue().count("2 passages") == 2
    out = StringIO()
    call_command("rebuild_store", store_of(library, "vector").pk, model=True, stdout=out, stderr=StringIO())
    assert "meaning-2" in out.getvalue()


def test_the_command_says_what_it_needs(library: TwoTeams) -> None:
    with pytest.raises(CommandError, match="Name stores"):
        call_command("rebuild_store")
    with pytest.raises(CommandError, match="There is no store 99999"):
        call_command("rebuild_store", 99999)
    Store.objects.filter(kind="vector").update(model="a model of yesterday")
    with pytest.raises(CommandError, match="a model of yesterday"):
        call_command("rebuild_store", all=True, stdout=StringIO(), stderr=StringIO())
