"""Cases of what a model is given to read."""

from __future__ import annotations

from corpus.core.metadata_map import links_of
from retrieval.core.reference_material import OVERHEAD, Passage, cost_of, serialise, within_budget
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs


@runs("truncate_reference_material")
def material_is_cut_in_turn(case: Case, suite: Suite) -> None:
    assert suite.facts["overhead_per_doc"] == OVERHEAD
    material = {
        domain: [Passage("x" * doc["len"], 0.0, doc["id"]) for doc in docs] for domain, docs in case["input"]["domains"].items()
    }
    kept = within_budget(material, case["input"]["max_chars"], cost=cost_of)
    assert {domain: [passage.file_name for passage in passages] for domain, passages in kept.items()} == case["expect"]


@runs("serialize_reference_material")
def material_is_written_by_file(case: Case, _suite: Suite) -> None:
    written = serialise(
        {
            domain: [
                Passage(
                    doc["text"],
                    doc["score"],
                    doc["metadata"].get("file_name", ""),
                    tuple(doc["metadata"].get("headings", ())),
                    doc["metadata"],
                )
                for doc in docs
            ]
            for domain, docs in case["input"].items()
        }
    )
    assert written == case.get("expect", case["expect_text"])
    checks = case["checks"]
    assert {part: written.count(part) for part in checks.get("count", {})} == checks.get("count", {})
    assert all(part in written for part in checks.get("contains", ()))
    assert not any(part in written for part in checks.get("absent", ()))
    assert all(written.index(one) < written.index(other) for one, other in checks.get("before", ()))


@runs("reference_panel", when=lambda case: "metadata" in case["input"])
def links_have_labels(case: Case, _suite: Suite) -> None:
    lines = [f"- {label}: {address}" if label else f"- {address}" for label, address in links_of(case["input"]["metadata"])]
    assert lines == case["expect"]["lines"]
