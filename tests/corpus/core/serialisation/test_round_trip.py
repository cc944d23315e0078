"""What is written can be read again: the same record, for every form and any text."""

from __future__ import annotations

import importlib
import pkgutil
import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core import serialisation
from corpus.core.names import PersonName, parse_name
from corpus.core.record import BibliographicRecord, PartialDate
from corpus.core.serialisation.latex_text import latex_of, plain_of

MODULES = [
    importlib.import_module(f"{serialisation.__name__}.{module.name}") for module in pkgutil.iter_modules(serialisation.__path__)
]
FORMS = [module for module in MODULES if hasattr(module, "EXTENSION")]
LETTERS = st.sampled_from(list("abc XYZ 019 éßøł 中文 عر \\{}$&%#_^~-`'\"!?<>@=,.;:/()[]"))
TEXTS = st.text(LETTERS, max_size=24).map(lambda text: " ".join(text.split()))
WORDS = st.from_regex(r"[A-Za-zé]{2,8}( [A-Za-zé]{2,8}){0,2}", fullmatch=True)
NAMES = st.one_of(
    st.from_regex(r"[A-Z][a-zé]{2,7}, [A-Z][a-z]{2,5}( [A-Z]\.)?", fullmatch=True).map(parse_name),
    st.from_regex(r"(van|de la|von der) [A-Z][a-z]{3,7}, [A-Z][a-z]{2,5}", fullmatch=True).map(parse_name),
    st.just(PersonName("Smith", "John", suffix="Jr.")),
    st.just(PersonName(literal="The ENCODE Consortium")),
)
DATES = st.one_of(
    st.none(),
    st.builds(PartialDate, st.integers(1000, 2100)),
    st.builds(PartialDate, st.integers(1000, 2100), st.integers(1, 12), st.integers(0, 28)),
)
RECORDS = st.builds(
    BibliographicRecord,
    key=st.from_regex(r"[a-z]{1,8}[0-9]{0,4}", fullmatch=True),
    type=st.sampled_from(
        ["article-journal", "paper-conference", "chapter", "book", "thesis", "report", "article-magazine", "bill"]
    ),
    title=TEXTS,
    authors=st.lists(NAMES, max_size=3).map(tuple),
    editors=st.lists(NAMES, max_size=2).map(tuple),
    issued=DATES,
    container_title=TEXTS,
    collection_title=TEXTS,
    publisher=TEXTS,
    publisher_place=WORDS,
    volume=st.from_regex(r"[0-9A-Z]{0,4}", fullmatch=True),
    issue=st.from_regex(r"[0-9]{0,3}", fullmatch=True),
    pages=st.sampled_from(["", "12", "12-34", "e1001", "S1-S9"]),
    doi=st.sampled_from(
        [
            "",
            "10.1093/cercor/bhx179",
            "10.1016/S0140-6736(05)66545-0",
            "10.1002/1096-8644(200101)114:1<18::AID-AJPA1002>3.0.CO;2-#",
        ]
    ),
    isbn=st.sampled_from(["", "9780306406157"]),
    issn=st.sampled_from(["", "0378-5955"]),
    arxiv=st.sampled_from(["", "2101.00001", "hep-th/9901001"]),
    pmid=st.sampled_from(["", "12345678"]),
    pmcid=st.sampled_from(["", "PMC1234567"]),
    abstract=TEXTS,
    language=st.sampled_from(["", "en", "de"]),
    note=WORDS,
    keywords=st.lists(WORDS, max_size=3, unique=True).map(tuple),
    urls=st.sampled_from([(), (("", "https://a.org/x_y%20z"),), (("", "https://a.org"), ("orcid", "https://orcid.org/1"))]),
    custom=st.sampled_from([(), (("project", "CA1 & CA3"),)]),
)


def test_every_form_says_what_it_is() -> None:
    assert {module.NAME for module in FORMS} == {"BibTeX", "CSL-JSON", "Metadata map", "RIS"}


@pytest.mark.parametrize("form", FORMS, ids=lambda module: module.NAME)
@given(record=RECORDS)
def test_a_record_comes_back_as_it_was(form: ModuleType, record: BibliographicRecord) -> None:
    assert form.read(form.write([record])) == (record,)


@pytest.mark.parametrize("form", FORMS, ids=lambda module: module.NAME)
@given(records=st.lists(RECORDS, max_size=4, unique_by=lambda record: record.key))
def test_several_records_stay_apart(form: ModuleType, records: list[BibliographicRecord]) -> None:
    read = form.read(form.write(records)) if records or form.NAME != "Metadata map" else ()
    assert [record.key for record in read] == [record.key for record in records]


@given(TEXTS)
def test_any_text_survives_latex(text: str) -> None:
    assert plain_of(latex_of(text)) == text


@given(st.text(max_size=200))
def test_any_text_can_be_read_as_bibtex_and_ris_without_an_error(text: str) -> None:
    for form in FORMS:
        if form.NAME in {"BibTeX", "RIS"}:
            assert isinstance(form.read(text), tuple)


def test_names_are_written_as_each_form_wants_them() -> None:
    record = BibliographicRecord(key="k", title="T", authors=(parse_name("Jan van der Berg"), PersonName(literal="The Group")))
    written = {form.NAME: form.write([record]) for form in FORMS}
    assert "van der Berg, Jan and {The Group}" in written["BibTeX"]
    assert re.search(r"AU  - van der Berg, Jan\nAU  - The Group,", written["RIS"])
    assert '"Jan van der Berg"' in written["Metadata map"]
    assert '"non-dropping-particle": "van der"' in written["CSL-JSON"]
