"""Cases of what registrars answer."""

from __future__ import annotations

from types import ModuleType

from corpus.core.serialisation.csl_json import record_of
from corpus.core.serialisation.metadata_map import entry_of
from corpus.core.works import crossref, openalex, semantic_scholar
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs

SERVICES: dict[str, ModuleType] = {"crossref": crossref, "openalex": openalex, "semantic_scholar": semantic_scholar}


@runs("doi_service_normalisation")
def an_answer_becomes_a_record(case: Case, _suite: Suite) -> None:
    (work,) = SERVICES[case["input"]["service"]].read(case["input"]["json"])
    entry = entry_of(record_of(work.csl))
    assert {key: entry.get(key) for key in case["expect"]} == case["expect"]
