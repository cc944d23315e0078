"""Cases of DOIs."""

from __future__ import annotations

from corpus.core.choosing import Proposal, choose, values_of
from corpus.core.identifiers import normalize_doi
from corpus.core.matching import DocumentFacts, agreement
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


@runs("improve", when=lambda case: "record_title" in case["input"])
def a_record_of_another_work_is_not_taken(case: Case, _suite: Suite) -> None:
    document = DocumentFacts(titles=(case["input"]["doc_title"],), opening=case["input"]["doc_title"])
    found = agreement(case["input"]["record_title"], (), None, document=document)
    record = {"title": case["input"]["record_title"], "authors": ["Ann Bell"], "year": 2020}
    proposals = [Proposal(field, value, "registrar", doubt=found.reason) for field, value in record.items()]
    assert not found.agrees
    assert found.reason
    assert values_of(choose(proposals))["_metadata_complete"] is False
