from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from corpus import lookup
from corpus.models import RegistrarAnswer
from corpus.registrars.crossref import Crossref
from corpus.registrars.datacite import DataCite
from corpus.registrars.openalex import OpenAlex
from corpus.registrars.semantic_scholar import SemanticScholar

pytestmark = pytest.mark.django_db
DOI = "10.1234/ABC.5678"
FULL = {
    "message": {
        "title": ["Resolved Title"],
        "author": [{"given": "Jane", "family": "Doe"}],
        "issued": {"date-parts": [[2024]]},
        "container-title": ["Journal R"],
        "DOI": DOI,
        "type": "journal-article",
    }
}


class Wire:
    """A transport that answers as told and remembers who was asked."""

    def __init__(self, answers: dict[str, Callable[[], httpx.Response]]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.agents: set[str] = set()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.host)
        self.agents.add(request.headers["user-agent"])
        return self.answers[request.url.host]()


def services(wire: Wire) -> list[object]:
    transport = httpx.MockTransport(wire)
    return [made("curator@example.org", transport=transport) for made in (Crossref, OpenAlex, SemanticScholar)]


def status(code: int, **headers: str) -> Callable[[], httpx.Response]:
    return lambda: httpx.Response(code, headers=headers, text="Resource not found.")


def found() -> httpx.Response:
    return httpx.Response(200, json=FULL)


def openalex() -> httpx.Response:
    work = {
        "title": "Resolved Title",
        "doi": f"https://doi.org/{DOI}",
        "publication_year": 2024,
        "authorships": [{"author": {"display_name": "Jane Doe"}}],
        "primary_location": {"source": {"display_name": "Journal R"}},
        "type": "article",
    }
    return httpx.Response(200, json=work)


@pytest.fixture(autouse=True)
def _no_back_off() -> Iterator[None]:
    lookup.forget_back_off()
    yield
    lookup.forget_back_off()


def test_a_service_that_asks_to_wait_is_followed_by_the_next() -> None:
    wire = Wire({"api.crossref.org": status(429), "api.openalex.org": openalex, "api.semanticscholar.org": status(429)})

    came = [lookup.by_doi(DOI, services(wire)) for _ in range(3)]

    assert {work.service for one in came for work in one.works} == {"openalex"}
    assert all(one.works for one in came)


def test_all_services_asking_to_wait_is_not_the_same_as_not_found() -> None:
    wire = Wire(dict.fromkeys(["api.crossref.org", "api.openalex.org", "api.semanticscholar.org"], status(429)))

    came = lookup.by_doi(DOI, services(wire))

    assert came.works == ()
    assert set(came.unanswered) == {"crossref", "openalex", "semantic-scholar"}
    assert RegistrarAnswer.objects.count() == 0


def test_a_service_that_asked_to_wait_is_left_alone_until_then() -> None:
    wire = Wire({"api.crossref.org": status(429, **{"retry-after": "120"})})
    only = services(wire)[:1]
    lookup.by_doi(DOI, only)

    again = lookup.by_doi(DOI, only)

    assert wire.asked == ["api.crossref.org"]
    assert again.unanswered == ("crossref",)


def test_an_answer_is_kept_whatever_the_case_of_the_doi() -> None:
    wire = Wire({"api.crossref.org": found})
    only = services(wire)[:1]
    lookup.by_doi(DOI, only)

    again = lookup.by_doi(DOI.lower(), only)

    assert len(wire.asked) == 1
    assert again.works[0].title == "Resolved Title"
    assert again.asked == ()


def test_not_known_is_kept_as_well() -> None:
    wire = Wire({"api.crossref.org": status(404)})
    only = services(wire)[:1]
    lookup.by_doi(DOI, only)

    again = lookup.by_doi(DOI, only)

    assert len(wire.asked) == 1
    assert again == lookup.LookUp()


def test_the_first_service_changes_from_call_to_call() -> None:
    wire = Wire({"api.crossref.org": found, "api.openalex.org": openalex, "api.semanticscholar.org": status(404)})
    all_three = services(wire)

    for number in range(3):
        lookup.by_doi(f"10.1234/{number}", all_three)

    assert len(set(wire.asked)) == 3


def test_the_services_are_told_who_asks() -> None:
    wire = Wire({"api.crossref.org": found})

    lookup.by_doi(DOI, services(wire)[:1])

    assert wire.agents == {"klea-ingest/1.0 (mailto:curator@example.org)"}


def test_html_in_place_of_json_counts_as_no_answer() -> None:
    wire = Wire({"api.crossref.org": lambda: httpx.Response(200, text="<html>busy</html>")})

    came = lookup.by_doi(DOI, services(wire)[:1])

    assert came.unanswered == ("crossref",)


def test_nobody_is_asked_without_a_mail_address(settings: object) -> None:
    settings.MAILTO = ""  # type: ignore[attr-defined]

    assert lookup.switched_on() == []


def test_a_doi_with_signs_of_its_own_reaches_the_service_whole() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.raw_path.decode())
        return httpx.Response(404)

    sici = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"
    DataCite("a@example.org", transport=httpx.MockTransport(answer)).by_doi(sici)

    assert seen == ["/dois/10.1002%2F%28sici%291097-0258%2819980815%2F30%2917%3A15%2F16%3C1661%3A%3Aaid-sim968%3E3.0.co%3B2-2"]
