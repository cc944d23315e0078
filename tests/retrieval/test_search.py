"""One search for every surface."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User

from corpus.models import Chunk, Collection, Domain, FilterField, Membership, Role, SourceFile, State
from retrieval.core.filters import canonical
from retrieval.models import Store
from retrieval.opening import ensure_stores
from retrieval.search import SearchRequest, SearchResponse, SearchUnavailable, UnknownScope, search
from retrieval.search.asking import forget_vectors
from tests.people import TwoTeams
from tests.retrieval.library import add_file, chunk_of, index


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    forget_vectors()


@pytest.fixture
def library(two_teams: TwoTeams) -> TwoTeams:
    """Physics holds three files, botany one."""
    for name, value_type in (("year", "int"), ("authors", "list")):
        FilterField.objects.create(domain=two_teams.physics, name=name, value_type=value_type)
    index(
        add_file(two_teams.papers, "calcium.md", CALCIUM, metadata={"year": 1990, "authors": ["Ada Lee"]}, headings=["Channels"])
    )
    index(add_file(two_teams.papers, "sodium.md", ["Sodium channels inactivate quickly."], metadata={"year": 2020}))
    index(add_file(two_teams.papers, "budget.md", ["The committee discussed the budget."], metadata={"year": 2021}))
    index(add_file(two_teams.herbarium, "moss.md", ["Calcium in the cell walls of mosses."], metadata={"year": 2005}))
    return two_teams


CALCIUM = [
    "Calcium channels open when the membrane is depolarised.",
    "They close again within milliseconds.",
    "T-type channels such as Cav3.1 open at low voltage.",
]


def ask(user: Any, text: str, **more: Any) -> SearchResponse:
    return search(SearchRequest(text=text, user=user, **more))


def texts(response: SearchResponse) -> list[str]:
    return [hit.text for hit in response.hits]


def test_the_best_passage_comes_first_with_where_it_stands(library: TwoTeams) -> None:
    first = ask(library.ada, "when do calcium channels open?").hits[0]
    assert first.text == CALCIUM[0]
    assert (first.domain, first.file_name, first.pages, first.headings) == ("physics", "calcium.md", (1,), ("Channels",))
    assert first.ranks == {"physics/papers/meaning": 1, "physics/papers/words": 1}
    assert first.rank == 1
    assert first.metadata["year"] == 1990


def test_only_domains_of_the_user_are_searched(library: TwoTeams) -> None:
    assert {hit.domain for hit in ask(library.cleo, "calcium").hits} == {"botany"}
    assert {hit.domain for hit in ask(library.ada, "calcium").hits} == {"physics"}


def test_an_anonymous_user_finds_nothing(library: TwoTeams) -> None:
    assert ask(AnonymousUser(), "calcium").hits == ()


def test_a_revoked_membership_counts_at_once(library: TwoTeams) -> None:
    assert ask(library.ada, "calcium").hits
    Membership.objects.filter(user=library.ada).delete()
    assert ask(library.ada, "calcium").hits == ()


@pytest.mark.parametrize("scope", [{"domains": ("botany",)}, {"collections": "herbarium"}, {"source_files": "moss"}])
def test_a_foreign_scope_is_unknown(library: TwoTeams, scope: dict[str, Any]) -> None:
    real = {"collections": (library.herbarium.pk,), "source_files": (SourceFile.objects.get(path="moss.md").pk,)}
    chosen = {key: real.get(key, value) for key, value in scope.items()}
    with pytest.raises(UnknownScope, match="There is no"):
        ask(library.ada, "calcium", **chosen)


def test_several_domains_are_searched_together(library: TwoTeams) -> None:
    Membership.objects.create(domain=library.botany, user=library.ada, role=Role.READER)
    assert {hit.domain for hit in ask(library.ada, "calcium").hits} == {"physics", "botany"}
    assert {hit.domain for hit in ask(library.ada, "calcium", domains=("botany",)).hits} == {"botany"}


def test_chosen_files_limit(library: TwoTeams) -> None:
    sodium = SourceFile.objects.get(path="sodium.md")
    assert texts(ask(library.ada, "calcium channels", source_files=(sodium.pk,))) == ["Sodium channels inactivate quickly."]


def test_a_filter_limits(library: TwoTeams) -> None:
    response = ask(library.ada, "channels", where=canonical({"year": {"$lt": 2000}}))
    assert set(texts(response)) == set(CALCIUM)
    assert response.notices == ()


def test_filter_and_chosen_files_intersect(library: TwoTeams) -> None:
    sodium = SourceFile.objects.get(path="sodium.md")
    response = ask(library.ada, "channels", where=canonical({"year": {"$lt": 2000}}), source_files=(sodium.pk,), relax=False)
    assert response.hits == ()


def test_an_automatic_filter_that_matches_nothing_is_relaxed_and_says_so(library: TwoTeams) -> None:
    response = ask(library.ada, "calcium channels", where=canonical({"year": 1066}))
    assert response.hits
    assert response.notices == ("Nothing in Physics passes the filter; it was left out.",)


@pytest.mark.parametrize("by", ["request", "domain"])
def test_a_filter_that_may_not_be_relaxed_finds_nothing(library: TwoTeams, by: str) -> None:
    if by == "domain":
        Domain.objects.filter(pk=library.physics.pk).update(relax_filters=False)
    response = ask(library.ada, "calcium", where=canonical({"year": 1066}), relax=False if by == "request" else None)
    assert response.hits == ()
    assert response.total == 0


def test_a_domain_ignores_fields_that_it_does_not_declare_and_says_so(library: TwoTeams) -> None:
    response = ask(library.cleo, "calcium", where=canonical({"year": 1066}))
    assert texts(response) == ["Calcium in the cell walls of mosses."]
    assert response.notices == ("Botany has no filter field year; there it was left out.",)


@pytest.mark.parametrize("text", ["", "   ", "\x00\u200b"])
def test_an_empty_question_finds_nothing(library: TwoTeams, text: str) -> None:
    response = ask(library.ada, text)
    assert (response.hits, response.total) == ((), 0)


def test_a_question_of_100_000_characters_is_answered(library: TwoTeams) -> None:
    assert ask(library.ada, "calcium channels " * 6000).hits[0].text == CALCIUM[0]


def test_pages_follow_each_other_without_gaps(library: TwoTeams) -> None:
    whole = ask(library.ada, "channels open", limit=5)
    parts = [ask(library.ada, "channels open", limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [hit for part in parts for hit in part.hits] == list(whole.hits)
    assert {part.total for part in parts} == {whole.total} == {5}


def test_equal_requests_give_equal_answers(library: TwoTeams) -> None:
    first, second = ask(library.ada, "channels"), ask(library.ada, "channels")
    assert first.hits == second.hits


def test_scores_are_bounded_and_a_threshold_cuts_by_them(library: TwoTeams) -> None:
    free = ask(library.ada, "when do calcium channels open")
    assert all(0.0 <= hit.score <= 1.0 for hit in free.hits)
    cut = ask(library.ada, "when do calcium channels open", threshold=0.5)
    assert [hit.chunk_id for hit in cut.hits] == [hit.chunk_id for hit in free.hits if hit.score >= 0.5]
    assert cut.total == len(cut.hits) < free.total


def test_nothing_relevant_is_an_answer(library: TwoTeams) -> None:
    assert ask(library.ada, "zebra xylophone quartz", threshold=0.4).hits == ()


def test_further_queries_bring_their_own_evidence(library: TwoTeams) -> None:
    response = ask(library.ada, "Cav3.1", queries=("committee budget",), limit=2)
    assert set(texts(response)) == {CALCIUM[2], "The committee discussed the budget."}


def test_keywords_reach_only_keyword_stores(library: TwoTeams) -> None:
    response = ask(library.ada, "sodium", keywords="committee")
    of_budget = next(hit for hit in response.hits if "committee" in hit.text)
    assert "physics/papers/words" in of_budget.ranks


@pytest.mark.parametrize("how", ["deleted", "disabled", "removed"])
def test_what_is_gone_is_not_returned_though_an_index_still_holds_it(library: TwoTeams, how: str) -> None:
    file = SourceFile.objects.get(path="calcium.md")
    if how == "deleted":
        chunk_of(file).delete()
    elif how == "disabled":
        Chunk.objects.filter(pk=chunk_of(file).pk).update(enabled=False)
    else:
        SourceFile.objects.filter(pk=file.pk).update(state=State.REMOVED)
    assert CALCIUM[0] not in texts(ask(library.ada, "when do calcium channels open?"))


def test_a_repeated_passage_comes_once(library: TwoTeams) -> None:
    index(add_file(library.papers, "copy.md", [CALCIUM[0].upper()]))
    found = [text.lower() for text in texts(ask(library.ada, "when do calcium channels open?"))]
    assert found.count(CALCIUM[0].lower()) == 1


def test_newer_work_is_preferred_as_the_domain_wishes(library: TwoTeams) -> None:
    for path, year in (("old.md", 1980), ("new.md", 2024)):
        index(add_file(library.papers, path, [f"Potassium currents repolarise, says {path}."], metadata={"year": year}))
    Domain.objects.filter(pk=library.physics.pk).update(recency_weight=0.9)
    assert ask(library.ada, "potassium currents repolarise").hits[0].file_name == "new.md"


def test_neighbours_of_the_section_come_beside_a_hit(library: TwoTeams) -> None:
    response = ask(library.ada, "milliseconds", limit=1, expand=True)
    assert texts(response) == [CALCIUM[1], CALCIUM[0], CALCIUM[2]]
    assert [hit.beside for hit in response.hits] == [None, response.hits[0].chunk_id, response.hits[0].chunk_id]


def test_a_store_that_is_switched_off_is_not_asked(library: TwoTeams) -> None:
    Store.objects.filter(kind="vector").update(enabled=False)
    assert set(ask(library.ada, "calcium").hits[0].ranks) == {"physics/papers/words"}


def test_each_store_ranks_by_itself(library: TwoTeams) -> None:
    """The second store's best has rank 1 in its own list."""
    other = Collection.objects.create(domain=library.physics, name="Others", slug="others")
    index(add_file(other, "other.md", ["Calcium channels open in other cells too."]))
    ranks = [hit.ranks for hit in ask(library.ada, "calcium channels open").hits if "others" in str(hit.ranks)]
    assert ranks == [{"physics/others/meaning": 1, "physics/others/words": 1}]


def test_a_store_that_fails_is_left_out_and_named(library: TwoTeams) -> None:
    Store.objects.filter(kind="vector").update(model="a model of yesterday")
    response = ask(library.ada, "calcium channels")
    assert response.hits[0].text == CALCIUM[0]
    assert len(response.notices) == 1
    assert "physics/papers/meaning did not answer" in response.notices[0]
    assert "rebuild_store" in response.notices[0]


def test_when_no_store_answers_the_search_says_so(library: TwoTeams) -> None:
    Store.objects.update(backend="of-yesterday", model="a model of yesterday")
    with pytest.raises(SearchUnavailable, match="did not answer"):
        ask(library.ada, "calcium channels")


def test_rounds_go_deeper(library: TwoTeams) -> None:
    Store.objects.update(default_k=1, k_inc=2, k_max=4)
    request = SearchRequest(text="channels", user=library.ada, limit=1)
    depths = [
        {step["k"] for step in search(replace(request, round=n)).trace["steps"] if step["name"] == "store"} for n in range(3)
    ]
    assert depths == [{1}, {3}, {3}]


def test_weights_of_stores_can_be_tried(library: TwoTeams) -> None:
    words = Store.objects.get(kind="bm25", collection=library.papers)
    told = ask(library.ada, "calcium", weights={words.pk: 0.0}).trace
    fused = next(step for step in told["steps"] if step["name"] == "fuse")
    assert fused["weights"] == {words.pk: 0.0}


def test_the_trace_tells_each_step_and_is_json(library: TwoTeams) -> None:
    trace = ask(library.ada, "calcium channels", where=canonical({"year": 1990})).trace
    names = [step["name"] for step in trace["steps"]]
    assert names == ["scope", "store", "store", "fuse", "permit", "refine", "load", "duplicates", "recency", "cut"]
    assert all(step["took_ms"] >= 0 for step in trace["steps"])
    assert json.loads(json.dumps(trace))["question"] == "calcium channels"


def test_a_reranker_takes_part_when_asked_for(library: TwoTeams) -> None:
    response = ask(library.ada, "when do calcium channels open?", rerank=True)
    assert [step["name"] for step in response.trace["steps"]].count("rerank") == 1
    assert response.hits[0].text == CALCIUM[0]


def test_a_reranker_that_is_too_slow_is_left_out_and_named(library: TwoTeams, settings: Any) -> None:
    settings.RERANK_SECONDS = 0
    response = ask(library.ada, "when do calcium channels open?", rerank=True)
    assert response.hits[0].text == CALCIUM[0]
    assert response.notices[0].startswith("The reranker was left out.")


def test_a_domain_without_files_is_searched_without_complaint(two_teams: TwoTeams) -> None:
    ensure_stores(two_teams.papers)
    assert ask(two_teams.ada, "anything").hits == ()


def test_a_superuser_sees_every_domain(library: TwoTeams) -> None:
    boss = User.objects.create_superuser("boss", password="a long secret")
    assert {hit.domain for hit in ask(boss, "calcium").hits} == {"physics", "botany"}
