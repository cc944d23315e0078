"""What keyword stores see of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.analysis import analyse, terms_of_question


def terms(text: str, language: str = "english") -> set[str]:
    return {term.text for term in analyse(text, language=language)}


@pytest.mark.parametrize(
    ("passage", "question"),
    [
        ("Cav3.1 channels", "cav3.1"),
        ("NeuroML2 files", "neuroml"),
        ("the Hodgkin–Huxley model", "Hodgkin Huxley"),
        ("hodgkin huxley", "Hodgkin-Huxley"),
        ("gene unc-13", "unc-13"),
        ("García's naïve models", "garcia naive modelling"),
        ("钙通道在低电压下打开", "钙通道"),
        ("Модели нейронов", "модель нейрона"),
        ("C++ and Fortran", "c++"),
    ],
)
def test_a_passage_is_found_by_other_spellings(passage: str, question: str) -> None:
    assert set(terms_of_question(question)) & terms(passage)


@pytest.mark.parametrize("syntax", ["AND OR NOT (", "a:b^2~ [x TO y}", '"open', "+-&&||!*?\\/"])
def test_signs_of_query_languages_are_text(syntax: str) -> None:
    assert all(term.strip() for term in terms_of_question(syntax))


def test_a_question_of_asking_words_keeps_them() -> None:
    assert terms_of_question("who can do what")


@given(text=st.text(max_size=200))
def test_terms_have_a_position_and_a_limit(text: str) -> None:
    found = analyse(text)
    assert all(term.text and len(term.text) <= 80 for term in found)
    assert [term.position for term in found] == sorted(term.position for term in found)
