from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from corpus.ingestion import add_file, drain
from tests.corpus.small_pdf import pdf_of
from tests.people import TwoTeams

pytestmark = pytest.mark.browser
BAD_WORDS = '<img src=x onerror="document.title=\'hacked\'"> <script>document.title="hacked"</script>'


@pytest.fixture
def rain(two_teams: TwoTeams, tmp_path: Path, django_db_blocker: Any) -> None:
    """Hold two small files in Ada's domain."""
    pdf = pdf_of(
        tmp_path / "rain.pdf", ["Rain forms when droplets of water grow heavy enough to fall.", "Snow forms below zero degrees."]
    )
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Notes {BAD_WORDS}\n\nHail forms in strong updraughts of thunderstorms. {BAD_WORDS}\n", encoding="utf-8")
    for path in (pdf, notes):
        add_file(two_teams.papers, path=path.name, content=[path.read_bytes()])
    drain()


def signed_in(browser: Any, site: str, name: str, **options: Any) -> tuple[Any, list[str]]:
    page = browser.new_context(**options).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{site}/sign-in/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", "a long secret")
    page.click("main button[type=submit]")
    page.wait_for_selector("body[data-ready]")
    return page, complaints


def ask(page: Any, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn:last-child .turn-actions button", timeout=20_000)


def test_a_question_leads_to_a_cited_answer_and_the_marked_page(rain: None, site: str, browser: Any, two_teams: TwoTeams) -> None:
    page, complaints = signed_in(browser, site, "ada")

    ask(page, "How does rain form when droplets of water grow?")
    page.click(".answer .marker")

    page.wait_for_selector(".panel .passage mark")
    assert "droplets of water grow heavy" in page.inner_text(".panel .passage")
    picture = page.wait_for_selector(".panel img.page-picture")
    page.wait_for_function("() => document.querySelector('img.page-picture').naturalWidth > 100")
    assert picture is not None
    assert complaints == []


def test_a_conversation_is_there_again_after_a_reload(rain: None, site: str, browser: Any, two_teams: TwoTeams) -> None:
    page, _ = signed_in(browser, site, "ada")
    ask(page, "How does rain form when droplets of water grow?")
    before = page.inner_text(".answer")

    page.reload()
    page.wait_for_selector(".answer .marker")

    assert page.inner_text(".answer") == before
    assert re.search(r"/sessions/\d+/$", page.url)


def test_what_a_document_or_a_question_says_is_never_run(rain: None, site: str, browser: Any, two_teams: TwoTeams) -> None:
    page, complaints = signed_in(browser, site, "ada")

    ask(page, f"How does hail form in thunderstorms? {BAD_WORDS}")
    page.click(".sources .source")
    page.wait_for_selector(".panel .passage")

    assert page.title() != "hacked"
    assert page.locator(".turn img, .panel .passage img, .turn script").count() == 0
    assert [text for text in complaints if "Content Security Policy" in text] == []


def test_somebody_of_another_domain_sees_nothing_of_it(rain: None, site: str, browser: Any, two_teams: TwoTeams) -> None:
    page, _ = signed_in(browser, site, "cleo")

    assert "No documents yet" in page.inner_text("main")
    page.goto(f"{site}/library/")
    assert "rain.pdf" not in page.content()


def test_the_page_fits_a_telephone(rain: None, site: str, browser: Any, two_teams: TwoTeams) -> None:
    page, _ = signed_in(browser, site, "ada", viewport={"width": 390, "height": 844}, color_scheme="dark")
    ask(page, "How does rain form when droplets of water grow?")

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
