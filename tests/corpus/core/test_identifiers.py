from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.identifiers import (
    doi_key,
    find_dois,
    find_identifiers,
    is_doi,
    normalize_arxiv,
    normalize_doi,
    normalize_isbn,
    normalize_issn,
    normalize_pmcid,
    normalize_pmid,
)

SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"


@pytest.mark.parametrize(
    "valid",
    [
        "10.1093/cercor/bhx179",
        "10.1088/1741-2552/aabbcc",
        "10.1016/S0140-6736(05)66545-0",
        "10.1002/1096-8644(200101)114:1<18::AID-AJPA1002>3.0.CO;2-#",
        SICI,
        "10.1371/journal.pone.0012345.g001",
        "10.1000/xyz/full.stop",
        "10.1002/0470841559.ch1",
        "10.5281/zenodo.8223956",
    ],
)
def test_a_valid_doi_is_never_cut(valid: str) -> None:
    assert is_doi(valid)
    assert normalize_doi(valid) == valid
    assert normalize_doi(f"https://doi.org/{valid}") == valid
    assert normalize_doi(f"doi: {valid}.") == valid


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("10.1016/0022-2836(81)90087-5]", "10.1016/0022-2836(81)90087-5"),
        ("(10.1016/j.x.2010.01.001)", "10.1016/j.x.2010.01.001"),
        ("DOI 10.1234/x", "10.1234/x"),
        ("doi.org/10.1234/x", "10.1234/x"),
        ("doi:https://dx.doi.org/10.1234/x", "10.1234/x"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/hbm.1/full", "10.1002/hbm.1"),
        ("https://dl.acm.org/doi/pdf/10.1145/1571941.1572114?download=true", "10.1145/1571941.1572114"),
        ("https://doi.org/10.1002/%28SICI%291097", "10.1002/(SICI)1097"),
        ("10.1002/a&lt;1::B&gt;2", "10.1002/a<1::B>2"),
        ("10.1101/2020.01.01.123456v1.full.pdf", "10.1101/2020.01.01.123456"),
        ("10.1073/pnas.2201699120/-/DCSupplemental/pnas.si.pdf", "10.1073/pnas.2201699120"),
        ("", ""),
        ("no identifier", "no identifier"),
    ],
)
def test_junk_around_a_doi_goes(written: str, bare: str) -> None:
    assert normalize_doi(written) == bare


@given(st.from_regex(r"10\.[0-9]{4,9}/[A-Za-z0-9().:;/<>_-]{1,40}", fullmatch=True))
def test_normalising_twice_changes_nothing(written: str) -> None:
    assert normalize_doi(normalize_doi(written)) == normalize_doi(written)


def test_dois_compare_without_case() -> None:
    assert doi_key("https://doi.org/10.7554/eLife.95135") == doi_key("10.7554/ELIFE.95135")


def test_dois_are_found_where_they_stand() -> None:
    text = "see 10.1111/first.1 (doi: 10.2222/second(2)), 10.3333/a,10.4444/b;10.5555/c"
    found = find_dois(text)
    assert [entry.value for entry in found] == ["10.1111/first.1", "10.2222/second(2)", "10.3333/a", "10.4444/b", "10.5555/c"]
    assert [entry.labelled for entry in found] == [False, True, False, False, False]
    assert text[found[1].start :].startswith("10.2222/second(2)")


def test_a_doi_over_a_line_end_is_put_together() -> None:
    assert [entry.value for entry in find_dois("https://doi.org/10.1016/j.neuron.\n2017.05.011 next")] == [
        "10.1016/j.neuron.2017.05.011"
    ]


def test_a_space_beside_the_slash_counts_only_after_a_label() -> None:
    assert [entry.value for entry in find_dois("doi: 10.1038 /nphys1234")] == ["10.1038/nphys1234"]
    assert find_dois("a ratio of 10.1038 / nothing") == ()


def test_other_identifiers_are_found() -> None:
    text = "arXiv:2101.00001v2 [q-bio] PMID: 12345678; PMC1234567 ISBN 0-306-40615-2 ISSN 0378-5955"
    assert [(entry.kind, entry.value) for entry in find_identifiers(text)] == [
        ("arxiv", "2101.00001"),
        ("pmid", "12345678"),
        ("pmcid", "PMC1234567"),
        ("isbn", "9780306406157"),
        ("issn", "0378-5955"),
    ]


def test_identifiers_with_a_wrong_check_digit_are_none() -> None:
    assert normalize_isbn("978-0-306-40615-8") == ""
    assert normalize_isbn("080442957X") == "9780804429573"
    assert normalize_issn("0378-5954") == ""
    assert normalize_issn("03785955") == "0378-5955"


def test_identifiers_lose_their_addresses() -> None:
    assert normalize_arxiv("https://arxiv.org/pdf/2101.00001v3.pdf") == "2101.00001"
    assert normalize_arxiv("10.48550/arXiv.2101.00001") == "2101.00001"
    assert normalize_arxiv("no number") == ""
    assert normalize_pmid("https://pubmed.ncbi.nlm.nih.gov/123456/") == "123456"
    assert normalize_pmid("x12") == ""
    assert normalize_pmcid("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1234567/") == "PMC1234567"
    assert normalize_pmcid("1234567") == "PMC1234567"
    assert normalize_pmcid("figure 123") == ""
