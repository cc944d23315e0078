from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.chunk import Box
from corpus.core.extraction.author_names import looks_like_name, name_share, split_authors
from corpus.core.extraction.header import find_header
from corpus.core.extraction.lines import HeaderLine, affiliation_strength, is_body_start, is_date, is_junk
from corpus.core.extraction.title import join_title

GROUPED = """Journal of Invented Physiology, Vol. 12, No. 3, 2019
RESEARCH ARTICLE
Slow oscillations of imaginary neurons under
synthetic drive
Anna K. Bergström 1,2 *, José García-López 1 , Li Wei 3 and Tom
van der Meer 2
1 Department of Imaginary Biology, University of Nowhere,
Nowhere, United States
* Corresponding author: anna@example.org
Abstract
Neurons fire in a field of grass and we model them here."""
INTERLEAVED = """A Framework for Describing Things
Maria Example
Institute of Things, Sometown
maria@example.org
PAUL OTHER
Department of Other Things, Othertown
Abstract: Things are described."""


def lines(text: str) -> list[HeaderLine]:
    return [HeaderLine(line) for line in text.splitlines()]


def test_title_and_authors_are_found_in_raw_text() -> None:
    found = find_header(lines(GROUPED))
    assert found.title == "Slow oscillations of imaginary neurons under synthetic drive"
    assert found.authors == ("Anna K. Bergström", "José García-López", "Li Wei", "Tom van der Meer")
    assert found.title_lines == (2, 3)


def test_authors_between_their_affiliations_are_all_found() -> None:
    found = find_header(lines(INTERLEAVED))
    assert found.title == "A Framework for Describing Things"
    assert found.authors == ("Maria Example", "Paul Other")


def test_the_largest_line_is_the_title_where_sizes_are_known() -> None:
    page = [
        HeaderLine("Proceedings paper number seven of the volume", 9),
        HeaderLine("The growth of crystals in the dark", 18, bold=True, box=Box(1, 50, 80, 400, 100)),
        HeaderLine("Ada Example and Bob Sample", 11),
        HeaderLine("Crystals grow in the dark and in the light as everybody knows well enough", 10),
        HeaderLine("when they are left alone for long enough in the cellar of the house", 10),
    ]
    found = find_header(page)
    assert found.title == "The growth of crystals in the dark"
    assert found.authors == ("Ada Example", "Bob Sample")


def test_a_title_line_that_goes_on_is_no_name() -> None:
    page = "Phrase scores with term weights for\nStatistical Machine Translation\nBing Example\nSome University\nAbstract\nx"
    found = find_header(lines(page))
    assert found.title == "Phrase scores with term weights for Statistical Machine Translation"
    assert found.authors == ("Bing Example",)


def test_an_empty_page_has_neither() -> None:
    assert find_header([]).title == ""
    assert find_header(lines("\n\n12\n")).authors == ()


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(text: str) -> None:
    found = find_header(lines(text))
    assert 0.0 <= found.title_score <= 1.0
    assert all(0 <= place < len(text.splitlines()) for place in (*found.title_lines, *found.author_lines))


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        ("Kai Yi", ["Kai Yi"]),
        ("Pascal Cotret a , Stéphane Chevobbe a and Mehdi Darouich a", ["Pascal Cotret", "Stéphane Chevobbe", "Mehdi Darouich"]),
        ("Robert Goodkin, M.D., and Lewis L. Laska, Ph.D., J.D.*", ["Robert Goodkin", "Lewis L. Laska"]),
        ("DAVID MCALLESTER and ROBERT GIVAN", ["David Mcallester", "Robert Givan"]),
        ("N. A. Levenson 1,2 , J. T. Radomski 2 ,", ["N. A. Levenson", "J. T. Radomski"]),
        ("Debashis Basak, Member, IEEE, and Dhabaleswar K. Panda, Member, IEEE", ["Debashis Basak", "Dhabaleswar K. Panda"]),
        ("David P. Kennedy • Burton O. Cowgill •", ["David P. Kennedy", "Burton O. Cowgill"]),
        ("R.R.A.Syms * , L.Solymar", ["R.R.A. Syms", "L. Solymar"]),
        ("Peter Gr unwald", ["Peter Grunwald"]),
        ("Paul E. Debevec Camillo J. Taylor Jitendra Malik", ["Paul E. Debevec", "Camillo J. Taylor", "Jitendra Malik"]),
        ("MENG Wei", ["Wei Meng"]),
        ("Randy S. Rarig, Jr.", ["Randy S. Rarig Jr"]),
        ("University of Nowhere, Department of Things", []),
        ("", []),
    ],
)
def test_printed_authors_are_taken_apart(printed: str, names: list[str]) -> None:
    assert split_authors(printed) == names


@pytest.mark.parametrize("text", ["Model of Neurons", "Analytical Hierarchical Process", "Max 12", "Lives in Town", "word"])
def test_a_phrase_is_no_name(text: str) -> None:
    assert not looks_like_name(text)


def test_words_that_the_page_writes_small_are_no_names() -> None:
    assert name_share("Radio Clusterings") == 1.0
    assert name_share("Radio Clusterings", frozenset({"radio", "clusterings"})) == 0.0


def test_lines_say_what_they_are() -> None:
    assert is_body_start("A B S T R A C T")
    assert is_body_start("1. Introduction")
    assert not is_body_start("Abstract algebra of summary statistics")
    assert is_junk("Received 3 May 2001; accepted 4 June 2001")
    assert is_junk("R E V I E W")
    assert not is_junk("Keyword extraction with received wisdom")
    assert is_date("14 Mar 2003")
    assert not is_date("A march of the ants")
    assert affiliation_strength("Department of Physics, University of Nowhere") > 0.5
    assert affiliation_strength("The physics of everyday things") < 0.3


def test_a_broken_title_becomes_one_line() -> None:
    assert join_title(["A multi-", "scale  model of", "things *"]) == "A multi-scale model of things"
