"""Silent mismatches are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus import backend
from corpus.models import FilterField
from retrieval.doctor import filter_fields_are_in_use, stores_are_whole
from retrieval.models import Embedding, Store
from tests.people import TwoTeams
from tests.retrieval.library import add_file, index

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def library(two_teams: TwoTeams) -> TwoTeams:
    index(add_file(two_teams.papers, "a.md", ["one", "two"], metadata={"year": 2020, "tags": ["x"], "journal": "Nature"}))
    return two_teams


def told(found: list[Any]) -> list[str]:
    return [message.msg for message in found]


def test_a_whole_library_is_fine(library: TwoTeams) -> None:
    assert stores_are_whole() == []


def test_a_missing_vector_is_told(library: TwoTeams) -> None:
    Embedding.objects.all()[0].delete()
    assert told(stores_are_whole()) == ["Physics / Papers / meaning lacks 1 passages; 2 of its collection are ready."]


def test_an_empty_store_is_told(library: TwoTeams) -> None:
    Embedding.objects.all().delete()
    assert told(stores_are_whole()) == ["Physics / Papers / meaning is empty; 2 of its collection are ready."]


def test_a_model_that_nobody_has_is_told(library: TwoTeams) -> None:
    Store.objects.filter(kind="vector").update(model="of yesterday")
    (found,) = stores_are_whole()
    assert "of yesterday" in found.msg
    assert "rebuild_store" in found.hint


def test_a_stale_keyword_index_is_told(library: TwoTeams, settings: Any, tmp_path: Path) -> None:
    stores = settings.KEYWORD_STORES
    settings.KEYWORD_STORES = {**stores, "tantivy": {**stores["tantivy"], "OPTIONS": {"folder": str(tmp_path / "lost")}}}
    backend.forget()
    assert told(stores_are_whole()) == ["Physics / Papers / words: the keyword index on this machine is behind the library."]


@pytest.mark.parametrize(("name", "value_type"), [("year", "int"), ("year", "float"), ("tags", "list"), ("journal", "string")])
def test_fields_in_use_are_fine(library: TwoTeams, name: str, value_type: str) -> None:
    FilterField.objects.create(domain=library.physics, name=name, value_type=value_type)
    assert filter_fields_are_in_use() == []


def test_a_field_that_no_passage_has_is_told_with_those_that_are_there(library: TwoTeams) -> None:
    FilterField.objects.create(domain=library.physics, name="keywords", value_type="list")
    (found,) = filter_fields_are_in_use()
    assert found.msg == "Physics: no passage has the filter field keywords."
    assert "journal, tags, year" in found.hint


@pytest.mark.parametrize(("name", "value_type"), [("journal", "int"), ("journal", "list"), ("year", "string")])
def test_a_type_that_no_value_has_is_told_with_values(library: TwoTeams, name: str, value_type: str) -> None:
    FilterField.objects.create(domain=library.physics, name=name, value_type=value_type)
    (found,) = filter_fields_are_in_use()
    assert f"declared as {value_type}" in found.msg
    assert ("Nature" in found.hint) or ("2020" in found.hint)
