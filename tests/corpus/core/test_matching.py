from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.matching import TITLES_AGREE, DocumentFacts, agreement, stands_in, title_similarity
from corpus.core.names import parse_names

TITLE = "Self-organised criticality in networks of spiking neurons"
OPENING = f"Journal of Things 12 (2019)\n{TITLE.upper()}\nAnn García and Bob Smith\nAbstract\nNeurons fire."
AUTHORS = parse_names(["Ann Garcia", "Bob Smith"])


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (TITLE, TITLE.upper(), True),
        (TITLE, "Self-organized criticality in networks of spiking neurones", True),
        ("NeuroML: a language for models of neurons", "NeuroML: A Language for Models of Neurons and Networks", True),
        ("Deep learning in the wild: a survey", "Deep learning in the wild", True),
        (TITLE, "Growth of barley in salty soils of the Mediterranean", False),
        ("Erratum", TITLE, False),
        ("Models", "Models of neurons and of much else in the brain", False),
        ("", TITLE, False),
    ],
)
def test_titles_are_compared_as_a_reader_does(one: str, other: str, alike: bool) -> None:
    assert (title_similarity(one, other) >= TITLES_AGREE) is alike


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_always_lies_between_0_and_1(one: str, other: str) -> None:
    assert 0.0 <= title_similarity(one, other) <= 1.0


def test_title_and_first_author_make_it_the_document() -> None:
    found = agreement(TITLE, AUTHORS, 1999, document=DocumentFacts(titles=(TITLE,), opening=OPENING))
    assert found.agrees
    assert not found.reason


def test_a_title_that_stands_on_the_first_page_counts() -> None:
    assert agreement(TITLE, AUTHORS, 2019, document=DocumentFacts(titles=("Journal of Things",), opening=OPENING)).agrees
    assert stands_in("Self-orga-\nnised criticality in networks of spiking neurons", OPENING)


def test_the_title_alone_is_not_enough() -> None:
    document = DocumentFacts(titles=(TITLE,), authors=parse_names(["Eve Young"]), years=(2001,))
    found = agreement(TITLE, AUTHORS, 2019, document=document)
    assert not found.agrees
    assert "neither the first author nor the year" in found.reason


def test_a_long_title_is_enough_where_nothing_else_is_known() -> None:
    assert agreement(TITLE, (), None, document=DocumentFacts(titles=(TITLE,))).agrees
    assert not agreement("Deep nets", (), None, document=DocumentFacts(titles=("Deep nets",))).agrees


def test_a_cited_work_is_not_the_document() -> None:
    found = agreement("Growth of barley in salty soils", AUTHORS, 2019, document=DocumentFacts(titles=(TITLE,), opening=OPENING))
    assert not found.agrees
    assert "Growth of barley" in found.reason
    assert TITLE in found.reason
