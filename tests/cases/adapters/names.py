"""Cases of names of people."""

from __future__ import annotations

from corpus.core.names import display_person_names, expand_person_names
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs


@runs("expand_person_names")
def names_are_expanded(case: Case, _suite: Suite) -> None:
    assert expand_person_names(case["input"]["names"]) == case["expect"]


@runs("display_person_names")
def names_are_shown_clean(case: Case, _suite: Suite) -> None:
    assert display_person_names(case["input"]["names"]) == case["expect"]
