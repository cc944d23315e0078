"""One record that trips each rule, one that doesn't; a rule file without a row here fails."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

from corpus.core.linting import RULES, Finding, Other, Subject, lint, rules

SOUND = {
    "title": "A conductance-based model of the CA1 pyramidal neuron",
    "authors": ["Ankur Sinha", "Padraig Gleeson"],
    "journal": "Journal of Neuroscience",
    "doi": "10.1093/cercor/bhx179",
    "keywords": ["neuron"],
    "year": 2020,
}
TRIPS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "missing": ({"title": ""}, {}),
    "title_fallback": ({"title": "Microsoft Word - draft.doc"}, {}),
    "title_is_stem": ({"title": "sinha_2020"}, {}),
    "title_is_running_head": ({"title": "Research Article"}, {}),
    "title_case": ({"title": "A MODEL OF THE NEURON"}, {}),
    "author_is_affiliation": ({"authors": ["Ankur Sinha", "University College London"]}, {}),
    "author_et_al": ({"authors": ["Ankur Sinha et al."]}, {}),
    "author_without_family": ({"authors": ["A. B."]}, {}),
    "doi": ({"doi": "https://doi.org/10.1093/cercor/bhx179"}, {}),
    "doi_disagrees": ({}, {"registered_title": "Growth of barley in salty soils"}),
    "year_range": ({"year": 1234}, {}),
    "year_vs_filename": ({"year": 2019}, {}),
    "year_type": ({"year": "2020"}, {}),
    "year_after_retrieval": ({}, {"retrieved_year": 2015}),
    "stale_venue": ({"journal": "", "venue": "eLife"}, {}),
    "journal_abbreviation": ({"journal": "J. Neurosci."}, {}),
    "too_many_urls": ({f"url_{number}": "https://x" for number in range(6)}, {}),
    "duplicate": ({}, {"others": (Other("copy.pdf", "10.1093/CERCOR/bhx179"),)}),
    "mojibake": ({"authors": ["MarÃ­a GarcÃ­a"]}, {}),
    "markup": ({"title": "A model of <i>C. elegans</i> neurons"}, {}),
}


def subject(values: dict[str, Any], **more: Any) -> Subject:
    return Subject("sinha_2020.pdf", {"DEFAULT": {**SOUND, **values}}, 2026, **more)


def found(code: str, values: dict[str, Any], more: dict[str, Any]) -> list[Finding]:
    return [finding for finding in lint(subject(values, **more)) if finding.code == code]


def test_every_rule_file_is_switched_on_and_tried() -> None:
    names = {module.name for module in pkgutil.iter_modules(rules.__path__)}
    modules = {name: importlib.import_module(f"{rules.__name__}.{name}") for name in names}
    switched_on = {rule.__module__.rsplit(".", 1)[1] for rule in RULES} | {"structure"}
    assert switched_on == names
    assert {module.CODE for module in modules.values()} == names
    assert set(TRIPS) | {"structure"} == names


def test_a_sound_record_has_no_finding() -> None:
    assert lint(subject({})) == ()


@pytest.mark.parametrize("code", TRIPS)
def test_a_rule_trips_on_what_it_is_for(code: str) -> None:
    values, more = TRIPS[code]
    assert found(code, values, more)


@pytest.mark.parametrize("code", TRIPS)
def test_a_fix_puts_it_right(code: str) -> None:
    values, more = TRIPS[code]
    fixes = [finding.fix for finding in found(code, values, more) if finding.fix is not None]
    mended = {
        key: value for key, value in {**values, **{k: v for fix in fixes for k, v in fix.items()}}.items() if value is not None
    }
    assert not fixes or not found(code, mended, more)


def test_an_entry_of_a_wrong_form_gets_that_finding_only() -> None:
    for entries in ({"title": "flat"}, ["list"], None):
        assert [finding.code for finding in lint(Subject("a.pdf", entries, 2026))] == ["structure"]


@pytest.mark.parametrize(
    ("values", "more", "code"),
    [
        ({"title": "The role of Ca2+ in DNA repair"}, {}, "title_case"),
        ({"authors": ["The University Consortium"]}, {}, "author_is_affiliation"),
        ({"authors": ["Yi Wu", "李 明", "The ENCODE Consortium"]}, {}, "author_without_family"),
        ({}, {"registered_title": "A Conductance-Based Model of the CA1 Pyramidal Neuron"}, "doi_disagrees"),
        ({}, {"retrieved_year": 2019}, "year_after_retrieval"),
        ({"doi": "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"}, {}, "doi"),
        ({"doi": "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"}, {}, "markup"),
        ({"title": "When p < 0.05 and q > 0.1: a critique"}, {}, "markup"),
        ({"authors": ["María García", "Søren Løvås", "Łukasz Żółć"]}, {}, "mojibake"),
        ({"journal": "Journal of Neuroscience"}, {}, "journal_abbreviation"),
        ({}, {"others": (Other("sinha_2020.pdf", "10.1093/cercor/bhx179"),)}, "duplicate"),
    ],
)
def test_a_rule_is_silent_where_nothing_is_wrong(values: dict[str, Any], more: dict[str, Any], code: str) -> None:
    assert not found(code, values, more)


def test_two_files_of_one_work_are_noticed_without_a_doi() -> None:
    other = Other("b.pdf", title="A Conductance-based model of the CA1 pyramidal neuron", year=2020)
    assert found("duplicate", {"doi": ""}, {"others": (other,)})
    assert not found("duplicate", {"doi": ""}, {"others": (Other("b.pdf", title=other.title, year=2001),)})
