"""What every keyword store promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.core.keyword_query import keyword_query
from retrieval.core.selection import EVERYTHING, Selection
from retrieval.keyword_store import KeywordIndex, KeywordRow, KeywordStore
from tests.conformance.implementations import classes_in

STORES = list(classes_in("retrieval.keyword_stores", having="find"))
INDEX = KeywordIndex(7)


def row(chunk_id: int, text: str, *, title: str = "", label: str = "plain") -> KeywordRow:
    return KeywordRow(chunk_id, title, text, label)


UNRELATED = {99: [row(100 + n, f"unrelated passage number {word}") for n, word in enumerate("abcdefghijklmnopqrst")]}


@dataclass
class Asked:
    """A store with a way to ask it in words."""

    store: KeywordStore

    def find(self, question: str, *, top_k: int = 10, selection: Selection = EVERYTHING) -> list[int]:
        return [hit.chunk_id for hit in self.store.find(INDEX, keyword_query(question), top_k=top_k, selection=selection)]


def make(kind: Any, folder: Path) -> KeywordStore:
    made: KeywordStore = kind(str(folder)) if kind.__name__ == "TantivyStore" else kind()
    return made


@pytest.fixture(params=STORES, ids=lambda found: found.__name__)
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], KeywordStore]:
    return lambda: make(request.param, tmp_path / "keywords")


@pytest.fixture
def asked(fresh: Callable[[], KeywordStore]) -> Asked:
    return Asked(fresh())


def test_a_store_that_holds_nothing_finds_nothing(asked: Asked) -> None:
    assert asked.find("anything") == []
    assert asked.store.count(INDEX) == 0
    assert asked.store.position(INDEX) == ""
    assert set(asked.store.held(INDEX, 1)) == set()


def test_the_better_match_comes_first(asked: Asked) -> None:
    asked.store.replace(
        INDEX,
        {
            1: [row(1, "NeuroML is a language for computational neuroscience models.")],
            2: [row(2, "The Hodgkin-Huxley model describes action potential generation.")],
            3: [row(3, "LTP is long-term potentiation of synaptic strength.")],
        },
        position="1",
    )
    assert asked.find("Hodgkin Huxley action potential")[0] == 2
    assert asked.find("zzzz qqqqqq") == []


def test_in_a_tiny_set_a_word_of_half_the_passages_counts(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "gene unc-13 neuron"), row(2, "other words here")]}, position="1")
    assert asked.find("unc-13") == [1]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Cav3.1 channels", "cav3.1"),
        ("Hodgkin-Huxley model", "Hodgkin Huxley"),
        ("Hodgkin Huxley model", "hodgkin–huxley"),
        ("The multiscale model", "multi-scale"),
        ("NeuroML2 is a format", "neuroml"),
        ("naïve Bóris", "NAIVE boris"),
        ("modelling of channels", "channel"),
        ("神经元的离子通道", "离子通道"),
        ("don't stop", "dont"),
        ('C++ and (brackets) AND OR NOT field:value "quotes', "brackets"),
    ],
)
def test_spellings_of_one_word_meet(asked: Asked, text: str, question: str) -> None:
    asked.store.replace(INDEX, {1: [row(1, text)], **UNRELATED}, position="1")
    assert asked.find(question)[:1] == [1]


def test_a_symbol_as_a_whole_beats_its_parts(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "gene unc"), row(2, "gene unc-13"), row(3, "gene 13")], **UNRELATED}, position="1")
    assert asked.find("unc-13")[0] == 2


@pytest.mark.parametrize("question", ['a" OR b', "title:x AND (", "++", "~^*?[]{}", "\\", "NOT", '""', "\x00"])
def test_signs_of_query_languages_are_plain_text(asked: Asked, question: str) -> None:
    asked.store.replace(INDEX, {1: [row(1, "one passage")]}, position="1")
    assert asked.find(question) == []


def test_a_quoted_phrase_alone_must_stand_there(asked: Asked) -> None:
    asked.store.replace(
        INDEX,
        {1: [row(1, "variable gating of calcium"), row(2, "the gating variable of calcium"), row(3, "gating")]},
        position="1",
    )
    assert asked.find('"gating variable"') == [2]
    assert asked.find('calcium "gating variable"')[0] == 2
    assert set(asked.find('calcium "gating variable"')) == {1, 2, 3}


def test_a_title_counts(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "about ions", title="Other"), row(2, "about ions", title="Ions")]}, position="1")
    assert asked.find("ions")[0] == 2


def test_selections_hold_in_the_engine(asked: Asked) -> None:
    many = {1: [row(n, "common word") for n in range(1, 60)], 2: [row(n, "common", label="rare") for n in range(60, 65)]}
    asked.store.replace(INDEX, many, position="1")
    assert set(asked.find("common word", top_k=5, selection=Selection(labels=frozenset({"rare"})))) == {60, 61, 62, 63, 64}
    assert set(asked.find("common word", top_k=9, selection=Selection(source_files=frozenset({2})))) == {60, 61, 62, 63, 64}
    assert asked.find("common", selection=Selection(frozenset({"rare"}), frozenset({1}))) == []
    assert asked.find("common", selection=Selection(labels=frozenset())) == []


def test_a_selection_does_not_change_scores(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "one word"), row(2, "another word here")]}, position="1")
    query = keyword_query("word")
    free = {hit.chunk_id: hit.score for hit in asked.store.find(INDEX, query, top_k=5, selection=EVERYTHING)}
    held = asked.store.find(INDEX, query, top_k=5, selection=Selection(labels=frozenset({"plain"})))
    assert {hit.chunk_id: hit.score for hit in held} == pytest.approx(free)


def test_replacing_a_file_leaves_the_others(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "alpha"), row(2, "alpha")], 2: [row(3, "alpha")]}, position="1")
    asked.store.replace(INDEX, {1: [row(2, "beta")]}, position="2")
    assert asked.find("alpha") == [3]
    assert asked.find("beta") == [2]
    assert asked.store.count(INDEX) == 2
    assert asked.store.position(INDEX) == "2"
    assert set(asked.store.held(INDEX, 1)) == {2}


def test_a_file_without_chunks_is_gone(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "alpha")], 2: [row(2, "alpha")]}, position="1")
    asked.store.replace(INDEX, {1: []}, position="2")
    assert asked.find("alpha") == [2]


def test_a_rebuild_takes_the_place_of_all(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "alpha")]}, position="1")
    asked.store.rebuild(INDEX, iter([{2: [row(2, "alpha")]}, {3: [row(3, "alpha")]}]), position="9")
    assert set(asked.find("alpha")) == {2, 3}
    assert asked.store.position(INDEX) == "9"


def test_a_rebuild_that_fails_leaves_the_old(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "alpha")]}, position="1")

    def breaking() -> Any:
        yield {2: [row(2, "alpha")]}
        raise RuntimeError("the cable was pulled")

    with pytest.raises(RuntimeError):
        asked.store.rebuild(INDEX, breaking(), position="2")
    assert asked.find("alpha") == [1]
    assert asked.store.position(INDEX) == "1"


def test_another_analysis_stands_nowhere(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "alpha")]}, position="1")
    assert asked.store.position(KeywordIndex(INDEX.store_id, "words-1-german")) == ""


def test_only_one_may_write(asked: Asked) -> None:
    import threading

    held: list[bool] = []

    def try_it() -> None:
        with asked.store.exclusive(INDEX, wait=False) as mine:
            held.append(mine)

    with asked.store.exclusive(INDEX, wait=True) as mine:
        other = threading.Thread(target=try_it)
        other.start()
        other.join()
        held.append(mine)
    assert held == [False, True]


def test_a_dropped_index_is_empty(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(1, "alpha")]}, position="1")
    asked.store.drop(INDEX)
    asked.store.drop(INDEX)
    assert asked.find("alpha") == []


def test_equal_scores_stand_in_the_order_of_chunks(asked: Asked) -> None:
    asked.store.replace(INDEX, {1: [row(n, "same words") for n in (5, 3, 9, 1)]}, position="1")
    assert asked.find("same words") == [1, 3, 5, 9]


WORDS = st.sampled_from(["ion", "gate", "model", "neuron", "calcium", "unc-13", "cav3.1", "the"])
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(TEXTS, min_size=1, max_size=8), question=TEXTS, labels=st.sets(st.sampled_from("abc")))
def test_stores_find_the_same_chunks(tmp_path: Path, texts: list[str], question: str, labels: set[str]) -> None:
    rows = [row(n, text, label="abc"[n % 3]) for n, text in enumerate(texts, start=1)]
    selection = Selection(labels=frozenset(labels))
    found = []
    for kind in STORES:
        store = make(kind, tmp_path)
        store.rebuild(INDEX, iter([{1: rows}]), position="1")
        run = store.find(INDEX, keyword_query(question), top_k=20, selection=selection)
        found.append({hit.chunk_id for hit in run})
    assert all(one == found[0] for one in found)


def test_a_store_on_disk_is_there_for_the_next_process(fresh: Callable[[], KeywordStore]) -> None:
    first = fresh()
    first.replace(INDEX, {1: [row(1, "alpha")]}, position="1")
    second = Asked(fresh())
    lasting = type(first).__name__ == "TantivyStore"
    assert second.find("alpha") == ([1] if lasting else [])
    first.replace(INDEX, {1: [row(2, "alpha")]}, position="2")
    assert second.find("alpha") == ([2] if lasting else [])
