"""Markers: every spelling is read, code is left alone, a stream ends as the whole text does, time grows with length only."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chat.core.citations import MarkerStream, canonical_markers, cited_sentences, code_spans
from chat.core.insertion import insert_markers

SOURCES = {1, 2, 3}
PIECES = st.sampled_from(
    [
        *("It fires", ".", " ", "\n", "[1]", "[1, 2]", "【3】", "(ID: 2)", "[9]", "`x[1]`", "\n```\ny[2] = 1\n```\n", "[^1]"),
        *("(see 2)", "[1-3]", "`", "[", "x]", "(1)", "钙。", "[link](https://e.org)", "**", "ref", "[ID:1]"),
    ]
)
ANSWER = st.lists(PIECES, max_size=25).map("".join)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("It fires [1, 2].", "It fires [1][2]."),
        ("It fires [1][2].", "It fires [1][2]."),
        ("It fires [1; 3].", "It fires [1][3]."),
        ("It fires [1-3].", "It fires [1][2][3]."),
        ("It fires (1).", "It fires [1]."),
        ("It fires 【1】.", "It fires [1]."),
        ("It fires 【1†source】.", "It fires [1]."),
        ("It fires [ID:1].", "It fires [1]."),
        ("It fires [Source 2].", "It fires [2]."),
        ("It fires (ref 2).", "It fires [2]."),
        ("It fires [^2].", "It fires [2]."),
        ("It fires [1](https://evil.example/x).", "It fires [1]."),
        ("It fires [9].", "It fires."),
        ("It fires [1][9].", "It fires [1]."),
        ("It fires [9]. It fires (1).", "It fires. It fires [1]."),
        ("It fires (1). It fires [2]. It fires (3).", "It fires [1]. It fires [2]. It fires (3)."),
        ("In (1) we saw it.", "In (1) we saw it."),
        ("It fired in 2010 (12).", "It fired in 2010 (12)."),
        ("See [the guide] and [12a].", "See [the guide] and [12a]."),
        ("`x[1]` and ``y[2]``", "`x[1]` and ``y[2]``"),
        ("```\nx[1]\n```\nIt fires [1].", "```\nx[1]\n```\nIt fires [1]."),
        ("~~~\nx[1]", "~~~\nx[1]"),
    ],
)
def test_every_spelling_is_read_and_code_is_left_alone(written: str, read: str) -> None:
    assert canonical_markers(written, SOURCES).text == read


def test_unknown_numbers_are_told() -> None:
    assert canonical_markers("a [7]. b [8, 1] c [7].", SOURCES).unknown == (7, 8)


@given(answer=ANSWER)
def test_reading_twice_changes_nothing(answer: str) -> None:
    once = canonical_markers(answer, SOURCES).text
    assert canonical_markers(once, SOURCES).text == once


@given(answer=ANSWER)
def test_code_comes_out_as_it_went_in(answer: str) -> None:
    text = canonical_markers(answer, SOURCES).text
    for start, end in code_spans(answer):
        assert answer[start:end] in text


@example(answer="[1]`[1, 2]`", cuts=[1])
@example(answer="[1][It fires(1)\n", cuts=[4])
@example(answer="It fires (1). It fires [2]. It fires (3).", cuts=[3])
@given(answer=ANSWER, cuts=st.lists(st.integers(1, 7), min_size=1, max_size=8))
def test_a_stream_gives_no_unknown_marker_and_loses_no_word(answer: str, cuts: list[int]) -> None:
    stream, told, place, turn = MarkerStream(SOURCES), "", 0, 0
    while place < len(answer):
        size = cuts[turn % len(cuts)]
        told += stream.feed(answer[place : place + size])
        place, turn = place + size, turn + 1
    told += stream.close()
    assert told.count("It fires") == answer.count("It fires")
    assert canonical_markers(told, SOURCES).text == canonical_markers(answer, SOURCES).text


@pytest.mark.parametrize(
    "nasty",
    [
        *("[" * 50_000, "[1," * 30_000, "`" * 50_001, "``` " * 12_000, "(" * 50_000),
        *("【1" * 20_000, "[1]" * 20_000, "x`[1]`" * 10_000, "` `` " * 10_000),
    ],
)
def test_time_grows_with_the_length_only(nasty: str) -> None:
    began = time.perf_counter()
    canonical_markers(nasty, SOURCES)
    whole = time.perf_counter() - began
    began = time.perf_counter()
    canonical_markers(nasty[: len(nasty) // 8], SOURCES)
    part = time.perf_counter() - began
    assert whole < 8 * 6 * part + 0.2


def test_markers_in_code_cite_nothing() -> None:
    found = cited_sentences("Use `x[1]` here [2].\n```\ny[3].\n```\nIt rests.")
    assert [(sentence.bare, sentence.markers) for sentence in found] == [("Use `x[1]` here.", (2,)), ("It rests.", ())]


def test_sentences_that_cite_already_are_left_alone_when_markers_are_put_in() -> None:
    assert insert_markers("It fires [2]. It rests.", lambda *_: [0.9], numbers=[1]) == "It fires [2]. It rests [1]."
