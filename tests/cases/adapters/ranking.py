"""Cases of ranking: fusion, recency, rerankers' scores, windows, parents, tables of contents, tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from retrieval.core.contents import Heading, joined, scores_by_marks
from retrieval.core.depth import Depth
from retrieval.core.fusion.reciprocal_rank import reciprocal_rank_fusion
from retrieval.core.hit import Hit, Run
from retrieval.core.paging import Page, candidate_window
from retrieval.core.parents import with_parents
from retrieval.core.recency import blend_recency, year_of
from retrieval.core.rerank_scale import blended, kind_weights, normalised
from retrieval.core.tags import tag_likeness
from retrieval.reranker import Scale, scores_of
from retrieval.rerankers.onnx_cross_encoder import OnnxCrossEncoder
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs


@dataclass
class Fixed:
    """A reranker that gives each text its score; without scores it must not be asked."""

    by_text: dict[str, float] | None
    name: str = "fixed"
    scale: Scale = "unknown"
    reads: bool = True

    def scores(self, question: str, passages: Sequence[str], *, time_limit_s: float) -> list[float]:
        if self.by_text is None:
            pytest.fail("the reranker was asked")
        return [self.by_text[passage] for passage in passages]


FALLBACK = Depth(5, 10, 1)
STORES = {"big": Depth(2, 4, 2), "small": FALLBACK}


class Numbers:
    """Gives each name a number, and reads hits back by name."""

    def __init__(self) -> None:
        self.names: list[Any] = []

    def of(self, name: Any) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def told(self, run: Run) -> list[list[Any]]:
        return [[self.names[hit.chunk_id], pytest.approx(hit.score, abs=1e-9)] for hit in run]


@runs("rrf_merge")
def runs_are_merged(case: Case, suite: Suite) -> None:
    numbers, given = Numbers(), case["input"]
    lists = {
        one["label"]: tuple(Hit(numbers.of((doc["file"], doc["text"])), doc["score"]) for doc in one["results"])
        for one in given["result_sets"]
    }
    merged = reciprocal_rank_fusion(list(lists.values()))[: given["num_refs_max"]]
    told = [
        {
            "file": numbers.names[hit.chunk_id][0],
            "text": numbers.names[hit.chunk_id][1],
            "score": pytest.approx(hit.score, abs=suite.facts["float_tolerance"]),
            "source_scores": {
                label: found.score for label, run in lists.items() for found in run if found.chunk_id == hit.chunk_id
            },
        }
        for hit in merged
    ]
    assert told == case["expect"]


@runs("rerank_by_recency")
def newer_work_rises(case: Case, suite: Suite) -> None:
    docs, numbers = case["input"]["docs"], Numbers()
    run = tuple(Hit(numbers.of(doc["id"]), doc["score"]) for doc in docs)
    weights = case["input"].get("weights", {"rw": 0.9, "tw": 0.1})
    assert weights["rw"] + weights["tw"] == 1
    mixed = blend_recency(run, {numbers.of(doc["id"]): year_of(doc) for doc in docs}, weight=weights["tw"], robust=False)
    tolerance = suite.facts["float_tolerance"]
    told = [{"id": numbers.names[hit.chunk_id], "score": pytest.approx(hit.score, abs=tolerance)} for hit in mixed]
    assert told == case["expect"]


@runs("rerank_normalise", when=lambda case: "raw" in case["input"])
def raw_scores_come_to_one_scale(case: Case, _suite: Suite) -> None:
    assert list(normalised(case["input"]["raw"])) == pytest.approx(case["expect"], abs=1e-9)


@runs("rerank_normalise")
def nothing_to_read_asks_nobody(case: Case, _suite: Suite) -> None:
    found = scores_of(Fixed(None), case["input"]["query"], case["input"]["texts"], time_limit_s=1)
    assert list(found.normalised) == case["expect"]["scores"]


@runs("cross_encoder_rerank", when=lambda case: "docs" in case["input"])
def a_reranker_scores_each_text(case: Case, _suite: Suite) -> None:
    docs = case["input"]["docs"]
    read = scores_of(Fixed(case["input"]["model_scores"]), "question", [doc["text"] for doc in docs], time_limit_s=1)
    told = [doc | {"score": score} for doc, score in zip(docs, read.raw, strict=True)]
    assert sorted(told, key=lambda doc: -doc["score"]) == case["expect"]


@runs("cross_encoder_rerank")
def a_model_has_a_name(case: Case, _suite: Suite) -> None:
    assert case["raises"] == "ValueError"
    with pytest.raises(ValueError, match="name"):
        OnnxCrossEncoder(case["input"]["load_model_name"])


@runs("blend")
def words_and_meaning_are_blended(case: Case, _suite: Suite) -> None:
    given = case["input"]
    score = blended(term=given["term"], vector=given["vector"], vector_weight=given["vector_weight"], bonus=given["rank_feature"])
    assert score == pytest.approx(case["expect"]["score"])


@runs("fusion_weights")
def weights_of_both_kinds(case: Case, _suite: Suite) -> None:
    assert kind_weights(case["input"]["vector_weight"]) == (case["expect"]["term"], case["expect"]["vector"])


@runs("candidate_window")
def one_block_for_whole_pages(case: Case, _suite: Suite) -> None:
    assert candidate_window(case["input"]["page_size"], top_k=case["input"]["top_k"]) == case["expect"]


@runs("paging", when=lambda case: "chunks" in case["expect"])
def pages_end(case: Case, _suite: Suite) -> None:
    page = Page.of(case["input"]["page"], case["input"]["page_size"])
    assert len(page.cut(range(case["input"]["corpus_chunks"]))) == case["expect"]["chunks"]


@runs("retrieval_depth_k")
def depth_grows(case: Case, _suite: Suite) -> None:
    given = case["input"]
    stores = {one["name"]: Depth(one["default_k"], one["k_max"], one["k_inc"]) for one in given.get("stores", ())} or STORES
    current = {name: given["k_values"].get(name, depth.default_k) for name, depth in stores.items()}
    loaded = given.get("loaded", list(stores))
    expected = case["expect"]
    if isinstance(expected, bool):
        assert any(stores[name].can_grow(current[name]) for name in loaded) == expected
    elif "grew" in expected:
        assert any(stores[name].grown(current[name]) != current[name] for name in loaded) == expected["grew"]
    elif "k_values" in expected:
        assert {name: stores[name].grown(current[name]) for name in loaded} == expected["k_values"]
        assert given["k_values"] == expected["input_after"]
    else:
        assert current == expected


@runs("child_to_parent", when=lambda case: isinstance(case["input"], list))
def parents_stand_for_children(case: Case, _suite: Suite) -> None:
    numbers = Numbers()
    run = tuple(Hit(numbers.of(one["id"]), one["score"]) for one in case["input"])
    parents = {
        numbers.of(one["id"]): numbers.of(one["parent"]) for one in case["input"] if one["parent"] and one["parent"].strip()
    }
    readable = {number for number in parents.values() if numbers.names[number] != "gone"}
    assert numbers.told(with_parents(run, parents, readable=readable)) == case["expect"]


@runs("child_to_parent", when=lambda case: case["name"] == "same_text_in_two_documents")
def two_files_have_two_parents(_case: Case, _suite: Suite) -> None:
    found = with_parents((Hit(1, 0.9), Hit(2, 0.8)), {1: 10, 2: 20}, readable={10, 20})
    assert [hit.chunk_id for hit in found] == [10, 20]


@runs("child_to_parent", when=lambda case: case["name"] == "parent_is_never_a_hit_itself")
def a_parent_scores_by_its_children_only(_case: Case, _suite: Suite) -> None:
    assert with_parents((Hit(1, 0.4),), {1: 10}, readable={10}) == (Hit(10, 0.4),)
    assert with_parents((), {1: 10}, readable={10}) == ()


@runs("child_to_parent", when=lambda case: case["name"] == "result_filled_up")
def further_children_fill_up(case: Case, _suite: Suite) -> None:
    wanted, collapsed = case["input"]["top_n"], case["input"]["hits_collapse_to"]
    children = {n: 100 + n // 2 for n in range(2 * wanted)}
    run = tuple(Hit(n, 1 - n / 100) for n in children)
    readable = set(children.values())
    assert len(with_parents(run[: 2 * collapsed], children, readable=readable, limit=wanted)) == collapsed
    assert len(with_parents(run, children, readable=readable, limit=wanted)) == wanted


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "parent_score_max")
def a_weak_sibling_does_not_sink_a_parent(_case: Case, _suite: Suite) -> None:
    assert with_parents((Hit(1, 0.9), Hit(2, 0.1)), {1: 10, 2: 10}, readable={10}) == (Hit(10, 0.9),)


CONTENTS = {"A": ("c1", "c2"), "B": ("c2", "c3"), "C": ("c4",)}


@runs("toc_scores", when=lambda case: "marks" in case["input"])
def marks_become_scores(case: Case, _suite: Suite) -> None:
    numbers = Numbers()
    headings = [Heading(title, 1, tuple(map(numbers.of, chunks))) for title, chunks in CONTENTS.items()]
    found = scores_by_marks(headings, case["input"]["marks"], limit=case["input"]["top_n"])
    assert numbers.told(found) == case["expect"]


@runs("toc_scores")
def chosen_chunks_join(case: Case, _suite: Suite) -> None:
    numbers = Numbers()
    run = tuple(Hit(numbers.of(name), score) for name, score in case["input"]["ranked"])
    chosen = tuple(Hit(numbers.of(name), score) for name, score in case["input"]["toc"] or ())
    told = numbers.told(joined(run, chosen))
    assert told == (case["expect"] if isinstance(case["expect"], list) else [["x", 0.6], ["c2", 0.6]])


@runs("tag_feature")
def tags_are_compared(case: Case, _suite: Suite) -> None:
    likeness = tag_likeness(case["input"]["query"], case["input"]["chunk"])
    assert likeness == pytest.approx(case["expect"]["cosine"])


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "scores_bounded")
def no_score_leaves_its_bounds(_case: Case, _suite: Suite) -> None:
    for bonus in (-5.0, 0.0, 10.0):
        assert 0 <= blended(term=1.0, vector=1.0, vector_weight=0.3, bonus=bonus) <= 1
    assert all(0 <= score <= 1 for score in normalised([40.0, -3.0, 1.0]))
