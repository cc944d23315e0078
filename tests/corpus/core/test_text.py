from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.text import (
    fold,
    join_broken_words,
    normalize_text,
    remove_dot_leaders,
    remove_unstorable,
    repair_text,
    words_of,
)

ANY_TEXT = st.text(alphabet=st.characters(), max_size=60)


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalize_text(normalize_text(text)) == normalize_text(text)


@given(ANY_TEXT)
def test_normalised_text_can_always_be_stored(text: str) -> None:
    plain = normalize_text(text)
    assert "\x00" not in plain
    assert plain.encode("utf-8").decode("utf-8") == plain


@given(ANY_TEXT)
def test_repaired_text_is_normal(text: str) -> None:
    assert normalize_text(repair_text(text)) == repair_text(text)


def test_lone_surrogates_go_and_pairs_become_one_character() -> None:
    assert remove_unstorable("a\ud83db") == "ab"
    assert remove_unstorable("\ud83d\ude00!") == "😀!"
    assert remove_unstorable("a\x00b\r\nc\x0cd") == "ab\nc\nd"


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("informa-\ntion", "information"),
        ("informa\u00ad\ntion", "information"),
        ("well-\nknown", "well-known"),
        ("Hodgkin-\nHuxley", "Hodgkin-Huxley"),
        ("multi-scale, and multi-\nscale", "multi-scale, and multi-scale"),
        ("1990-\n1995", "1990-\n1995"),
        ("a dash -\nnext", "a dash -\nnext"),
    ],
)
def test_words_cut_at_a_line_end_are_joined(broken: str, whole: str) -> None:
    assert join_broken_words(broken) == whole


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("1.2 Methods ........... 17", "1.2 Methods 17"),
        ("Intro . . . . . . . 3\nEnd", "Intro 3\nEnd"),
        ("Contents …… 4", "Contents 4"),
        ("and so on...", "and so on..."),
        ("wait... what", "wait... what"),
    ],
)
def test_dot_leaders_go(written: str, plain: str) -> None:
    assert remove_dot_leaders(written) == plain


def test_folding_makes_spellings_equal() -> None:
    assert fold("Bóris GARCÍA–Løvås") == fold("boris garcia-lovas")
    assert fold("Straße") == "strasse"
    assert words_of("Cav3.1 channels") == ["cav3", "1", "channels"]
    assert words_of("神经元 نص") == ["神经元", "نص"]


@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
