"""Cases of DOIs."""

from __future__ import annotations

from corpus.core.identifiers import normalize_doi
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs


@runs("normalize_doi")
def a_doi_is_normalised(case: Case, _suite: Suite) -> None:
    assert normalize_doi(case["input"]["doi"]) == case["expect"]


@runs("improve", when=lambda case: "doi" in case["input"])
def a_valid_doi_is_not_cut(case: Case, _suite: Suite) -> None:
    assert normalize_doi(case["input"]["doi"]) == case["ours"]


@runs("improve", when=lambda case: "dois" in case["input"])
def junk_after_a_doi_goes(case: Case, _suite: Suite) -> None:
    assert [normalize_doi(doi) for doi in case["input"]["dois"]] == case["ours"]
