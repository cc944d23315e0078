"""Cases of a search from end to end, over files in the database and the stores that the site uses by default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from corpus.models import Chunk, Collection, FilterField, SourceFile
from retrieval.core.conditions import ConditionError
from retrieval.core.depth import Depth
from retrieval.core.filter_modes import chosen, read_mode
from retrieval.core.filters import Filter, combine, restrict
from retrieval.core.keyword_query import keyword_query
from retrieval.core.selection import EVERYTHING, Selection
from retrieval.keyword_store import KeywordIndex, KeywordRow, KeywordStore
from retrieval.keyword_stores.rank_bm25 import RankBm25Store
from retrieval.keyword_stores.tantivy import TantivyStore
from retrieval.models import Store
from retrieval.search import SearchRequest, search
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs
from tests.people import TwoTeams
from tests.retrieval.library import add_file, chunk_of, index

INDEX = KeywordIndex(1)
UNRELATED = [f"passage {n} about gardens and weather" for n in range(20)]


def both_stores(tmp_path: Path) -> list[KeywordStore]:
    return [RankBm25Store(), TantivyStore(str(tmp_path / "keywords"))]


def rows(texts: Sequence[str], *, labels: Sequence[str] = ()) -> list[KeywordRow]:
    return [KeywordRow(n, "", text, labels[n - 1] if labels else "plain") for n, text in enumerate(texts, start=1)]


def found(store: KeywordStore, query: str, *, top_k: int = 10, selection: Selection = EVERYTHING) -> list[int]:
    return [hit.chunk_id for hit in store.find(INDEX, keyword_query(query), top_k=top_k, selection=selection)]


@runs("bm25_retrieval")
def words_find_chunks(case: Case, suite: Suite, tmp_path: Path) -> None:
    corpus, given = suite.facts["corpus"], case["input"]
    for store in both_stores(tmp_path):
        places = iter(range(len(corpus)))
        for file, size in enumerate(given.get("batches", [len(corpus)])):
            held = [KeywordRow(n, "", corpus[n]["text"], "plain") for n, _ in zip(places, range(size), strict=False)]
            store.replace(INDEX, {file: held}, position=str(file))
        run = store.find(INDEX, keyword_query(given["query"]), top_k=given.get("k", 3), selection=EVERYTHING)
        if case["expect"] == []:
            assert run == ()
            continue
        assert corpus[run[0].chunk_id]["file"] == case["expect"]["first"]
        assert all(hit.score > 0 for hit in run)


@runs("improve", file="klea_cases", when=lambda case: "lexical" in case["name"] and "corpus" in case["input"])
def words_hit_where_raw_tokens_miss(case: Case, _suite: Suite, tmp_path: Path) -> None:
    texts = [text for text in case["input"]["corpus"] if not text.startswith("(")]
    if len(texts) < len(case["input"]["corpus"]):
        texts += UNRELATED
    if "ranked above" in case["ours"]:
        texts += ["only unc here", "only 13 here"]
    for store in both_stores(tmp_path):
        store.replace(INDEX, {1: rows(texts)}, position="1")
        assert found(store, case["input"]["query"])[0] == 1


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "filtered_lexical_search_exhaustive")
def filters_come_before_ranks(case: Case, _suite: Suite, tmp_path: Path) -> None:
    k, rank = case["input"]["k"], case["input"]["matching_docs_rank"]
    texts = ["gate " * 3 + "x"] * rank + ["gate and many other words of a longer passage"] * k
    labels = ["other"] * rank + ["wanted"] * k
    for store in both_stores(tmp_path):
        store.replace(INDEX, {1: rows(texts, labels=labels)}, position="1")
        assert len(found(store, "gate", top_k=k, selection=Selection(labels=frozenset({"wanted"})))) == k


@runs("improve", file="klea_cases", when=lambda case: case["name"] == "rrf_per_store")
def each_store_ranks_by_itself(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    notes = Collection.objects.create(domain=two_teams.physics, name="Notes", slug="notes")
    index(add_file(two_teams.papers, "a.md", ["calcium channels open"] * 3))
    index(add_file(notes, "b.md", ["calcium channels close"]))
    ranks = {label: rank for hit in search(SearchRequest("calcium", two_teams.ada)).hits for label, rank in hit.ranks.items()}
    assert {rank for label, rank in ranks.items() if "/notes/" in label} == {1}


@runs("retrieve_node", when=lambda case: "retrieval_attempts" in case["input"])
def rounds_are_counted(case: Case, _suite: Suite) -> None:
    before = case["input"]["retrieval_attempts"]
    assert Depth(5, 100, 1).at(before + 1) == 5 + case["expect"]["retrieval_attempts"]


@runs("retrieve_node", when=lambda case: "domains" in case["input"])
def nothing_chosen_finds_nothing(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    index(add_file(two_teams.papers, "a.md", ["calcium channels"]))
    assert search(SearchRequest("calcium", two_teams.ada, domains=())).hits == ()


@runs("retrieve_node", when=lambda case: "retrievers" in case["input"])
def a_failing_store_is_left_out(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    index(add_file(two_teams.papers, "a.md", ["calcium channels"]))
    Store.objects.filter(kind=Store.Kind.VECTOR).update(dimension=7)
    response = search(SearchRequest("calcium", two_teams.ada))
    assert [set(hit.ranks) for hit in response.hits] == [{"physics/papers/words"}]
    assert response.notices


@runs("retrieve_node", when=lambda case: "filter_seen" in case["expect"])
def one_filter_for_all_stores(case: Case, _suite: Suite) -> None:
    assert combine(case["input"]["clauses"]) == case["expect"]["filter_seen"]


@runs("retrieve_node", when=lambda case: "declared" in case["input"])
def each_domain_gets_its_part(case: Case, _suite: Suite) -> None:
    where = combine(case["input"]["clauses"])
    assert {domain: restrict(where, fields) for domain, fields in case["input"]["declared"].items()} == case["expect"]


@runs("zero_match_signal")
def an_empty_scope_is_nothing(case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    index(add_file(two_teams.papers, "a.md", ["calcium channels"]))
    response = search(SearchRequest("calcium", two_teams.ada, source_files=tuple(case["input"]["scope"])))
    assert list(response.hits) == case["expect"]["chunks"]
    assert not [step for step in response.trace["steps"] if step["name"] in {"store", "rerank"}]


PEOPLE = {
    "a": {"author": "ada", "year": 1843},
    "b": {"author": "ada"},
    "c": {"author": "alan", "year": 1950},
    "z": {"shelf": "z"},
}


@pytest.fixture
def four_files(two_teams: TwoTeams) -> tuple[TwoTeams, dict[str, SourceFile]]:
    for name, value_type in (("author", "string"), ("year", "int")):
        FilterField.objects.create(domain=two_teams.physics, name=name, value_type=value_type)
    return two_teams, {name: index(add_file(two_teams.papers, name, [f"gate {name}"], metadata=PEOPLE[name])) for name in PEOPLE}


@runs("filter_modes", when=lambda case: "error" in case["expect"])
def wrong_modes_are_refused(case: Case, _suite: Suite) -> None:
    with pytest.raises(ConditionError) as caught:
        read_mode(case["input"]["filter"], in_use={"author", "year"})
    assert caught.value.code == case["expect"]["error"]


@runs("filter_modes")
def modes_limit_the_search(case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams, files = four_files.__wrapped__(two_teams)
    before = repr(case["input"]["filter"])
    mode, notices = read_mode(case["input"]["filter"], in_use={"author", "year"})
    outcome = chosen(mode, case["input"].get("llm"))
    assert repr(case["input"]["filter"]) == before
    expected = case["expect"]
    if "fixed_operators" in expected:
        assert (list(mode.keys or ()), mode.operators) == (expected["keys_shown_to_model"], expected["fixed_operators"])
    scope = case["input"]["scope"]
    named, told = found_by(teams, files, outcome.where, scope, relax=outcome.relaxes)
    assert named == (sorted(PEOPLE) if expected["scope"] == "all" else sorted(set(expected["scope"])))
    assert expected.get("notice") in {None, *notices, *outcome.notices, *told}


def found_by(
    teams: TwoTeams, files: dict[str, SourceFile], where: Filter | None, scope: list[str] | None, *, relax: bool
) -> tuple[list[str], set[str]]:
    """Search; return the names of the files found, and the code of a notice that the filter was relaxed."""
    chosen_files = None if scope is None else tuple(files[name].pk for name in scope)
    response = search(SearchRequest("gate", teams.ada, where=where, source_files=chosen_files, relax=relax))
    relaxed = any("passes the filter" in notice for notice in response.notices)
    return sorted(hit.file_name for hit in response.hits), {"filter_relaxed"} if relaxed else set()


@runs("paging", when=lambda case: "total" in case["expect"])
def totals_are_true(case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    given = case["input"]
    if not SourceFile.objects.exists():  # a deviation runs the case twice
        index(add_file(two_teams.papers, "a.md", [f"calcium gate number {n}" for n in range(given["corpus_chunks"])]))
    page = SearchRequest("calcium gate", two_teams.ada, limit=given["page_size"], offset=(given["page"] - 1) * given["page_size"])
    response = search(page)
    assert len(response.hits) == given["page_size"]
    if case["expect"]["total"] == "a lower bound":
        assert given["page_size"] < response.total < given["corpus_chunks"]
    else:
        assert response.total == case["expect"]["total"]


@pytest.fixture
def library(two_teams: TwoTeams) -> TwoTeams:
    FilterField.objects.create(domain=two_teams.physics, name="year", value_type="int")
    index(add_file(two_teams.papers, "new.md", ["calcium channels open"], metadata={"year": 2020}))
    index(add_file(two_teams.papers, "old.md", ["calcium channels close"], metadata={"year": 1990}))
    return two_teams


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "scope_intersects")
def picked_files_and_filter_both_count(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams = library.__wrapped__(two_teams)
    old = SourceFile.objects.get(path="old.md")
    request = SearchRequest("calcium", teams.ada, source_files=(old.pk,), where={"year": {"$gte": 2000}}, relax=False)
    assert search(request).hits == ()
    assert [hit.file_name for hit in search(replace(request, where={"year": {"$lt": 2000}})).hits] == ["old.md"]


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "threshold_with_document_scope")
def the_threshold_holds_for_picked_files(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams = library.__wrapped__(two_teams)
    old = SourceFile.objects.get(path="old.md")
    request = SearchRequest("calcium", teams.ada, source_files=(old.pk,))
    score = search(request).hits[0].score
    assert search(replace(request, threshold=min(1.0, score + 0.01))).hits == ()


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "original_query_kept")
def the_question_itself_takes_part(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams = library.__wrapped__(two_teams)
    response = search(SearchRequest("calcium", teams.ada, queries=("Kalzium", "calcio")))
    assert response.trace["queries"] == ["calcium", "Kalzium", "calcio"]
    assert response.hits


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] in {"reranker_down", "reranker_batches"})
def a_slow_or_absent_reranker_costs_no_hits(_case: Case, _suite: Suite, two_teams: TwoTeams, settings: Any) -> None:
    teams = library.__wrapped__(two_teams)
    settings.RERANKER = "broken"
    settings.RERANKERS = {
        **settings.RERANKERS,
        "broken": {
            "BACKEND": "retrieval.rerankers.onnx_cross_encoder.OnnxCrossEncoder",
            "OPTIONS": {"weights": "folder:/nowhere/at/all"},
        },
    }
    response = search(SearchRequest("calcium", teams.ada, rerank=True))
    assert len(response.hits) == 2
    assert any("reranker" in notice for notice in response.notices)


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "deleted_at_once")
def what_is_gone_is_gone(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams = library.__wrapped__(two_teams)
    Chunk.objects.filter(pk=chunk_of(SourceFile.objects.get(path="old.md")).pk).update(enabled=False)
    SourceFile.objects.get(path="new.md").chunks.all().delete()
    assert search(SearchRequest("calcium", teams.ada)).hits == ()


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "threshold_same_everywhere")
def one_service_answers_every_surface(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams = library.__wrapped__(two_teams)
    request = SearchRequest("calcium channels open", teams.ada, threshold=0.1)
    assert search(request).hits == search(request).hits


@runs("improve", file="ragflow_cases", when=lambda case: case["name"] == "trace")
def the_trace_tells_every_step(_case: Case, _suite: Suite, two_teams: TwoTeams) -> None:
    teams = library.__wrapped__(two_teams)
    trace = search(SearchRequest("calcium channels", teams.ada)).trace
    assert {"scope", "store", "fuse", "cut"} <= {step["name"] for step in trace["steps"]}
    assert all("took_ms" in step for step in trace["steps"])
