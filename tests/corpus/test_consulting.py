from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from corpus import lookup
from corpus.consulting import consult
from corpus.core.choosing import choose, values_of
from corpus.core.chunk import Box
from corpus.core.extraction.cascade import DocumentSigns, propose_metadata
from corpus.core.extraction.lines import HeaderLine
from corpus.core.works.work import Related, Work
from corpus.registrars.crossref import Crossref
from corpus.registrars.recorded import RecordedRegistrar

pytestmark = pytest.mark.django_db
DOI = "10.1234/rain.5"
TITLE = "Rainfall over mountains in a warming climate"
HEADER = (
    HeaderLine(TITLE, 18.0, bold=True, box=Box(1, 72, 90, 500, 110)),
    HeaderLine("Jane Doe and John Smith", 11.0, box=Box(1, 72, 120, 300, 132)),
    HeaderLine(f"https://doi.org/{DOI}", 9.0, box=Box(1, 72, 140, 300, 150)),
)
SIGNS = DocumentSigns(name="rain.pdf", text="\n".join(line.text for line in HEADER), header=HEADER)


def work(title: str, family: str) -> Work:
    authors = [{"given": "Jane", "family": family}, {"given": "John", "family": "Smith"}]
    csl = {
        "title": title,
        "author": authors,
        "issued": {"date-parts": [[2021]]},
        "container-title": "Journal of Rain",
        "DOI": DOI,
    }
    return Work("crossref", DOI, csl, related=(Related("retracted-by", "10.1234/retraction"),))


@pytest.fixture(autouse=True)
def _no_back_off() -> Iterator[None]:
    lookup.forget_back_off()
    yield
    lookup.forget_back_off()


def test_a_record_that_agrees_decides_the_fields() -> None:
    consulted = consult(SIGNS, propose_metadata(SIGNS), [RecordedRegistrar("crossref", [work(TITLE, "Doe")])])

    values = values_of(choose(consulted.proposals))
    assert (values["doi"], values["year"], values["journal"]) == (DOI, 2021, "Journal of Rain")
    assert values["_metadata_complete"] is True


def test_a_retraction_is_told() -> None:
    consulted = consult(SIGNS, propose_metadata(SIGNS), [RecordedRegistrar("crossref", [work(TITLE, "Doe")])])

    assert values_of(choose(consulted.proposals))["retracted_by"] == "10.1234/retraction"


def test_a_record_of_another_work_puts_the_doi_in_doubt() -> None:
    other = work("Fish migration in the northern Baltic Sea", "Virtanen")

    consulted = consult(SIGNS, propose_metadata(SIGNS), [RecordedRegistrar("crossref", [other])])

    values = values_of(choose(consulted.proposals))
    assert "doi" not in values
    assert values["title"] == TITLE
    assert values["_metadata_complete"] is False


def test_a_service_that_asks_to_wait_is_remembered_for_later() -> None:
    busy = Crossref("me@example.org", transport=httpx.MockTransport(lambda _request: httpx.Response(429)))

    consulted = consult(SIGNS, propose_metadata(SIGNS), [busy])

    assert consulted.unanswered == ("crossref",)


def test_nobody_is_asked_by_default() -> None:
    proposals = propose_metadata(SIGNS)

    consulted = consult(SIGNS, proposals)

    assert (consulted.asked, consulted.proposals) == (False, tuple(proposals))
