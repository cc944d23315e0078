from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from corpus.ingestion import add_file, drain
from tests.browser.test_chat_page import ask, signed_in
from tests.corpus.small_pdf import pdf_of
from tests.people import TwoTeams

pytestmark = pytest.mark.browser
QUESTION = "How does rain form when droplets of water grow?"


@pytest.fixture
def rain(two_teams: TwoTeams, tmp_path: Path, django_db_blocker: Any) -> None:
    """Hold a small PDF in Ada's domain."""
    pdf = pdf_of(tmp_path / "rain.pdf", ["Rain forms when droplets of water grow heavy enough to fall."])
    add_file(two_teams.papers, path=pdf.name, content=[pdf.read_bytes()])
    drain()


def test_the_back_button_leads_from_the_first_answer_to_an_empty_page(rain: None, site: str, browser: Any) -> None:
    page, _ = signed_in(browser, site, "ada")
    ask(page, QUESTION)
    assert re.search(r"/sessions/\d+/$", page.url)

    page.go_back()

    page.wait_for_selector("body[data-ready] #welcome")
    assert page.locator(".turn").count() == 0


def test_escape_closes_the_source_and_a_slash_leads_to_the_question(rain: None, site: str, browser: Any) -> None:
    page, _ = signed_in(browser, site, "ada")
    ask(page, QUESTION)
    page.click(".answer .marker")
    page.wait_for_selector(".panel .passage")

    page.keyboard.press("Escape")
    assert page.locator(".panel").is_hidden()
    page.keyboard.press("/")

    assert page.evaluate("document.activeElement.id") == "question"
    assert page.input_value("#question") == ""


def test_a_question_that_the_line_lost_is_asked_once_more(rain: None, site: str, browser: Any) -> None:
    page, _ = signed_in(browser, site, "ada")
    dropped: list[str] = []

    def first_question_is_lost(socket: Any) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str) -> None:
            if '"ask"' in message and not dropped:
                dropped.append(message)
                socket.close(code=4000)
                return
            server.send(message)

        socket.on_message(pass_on)

    ask(page, "How does snow form?")  # the socket is open from here on
    page.reload()
    page.route_web_socket(re.compile("/ws/"), first_question_is_lost)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_function("document.querySelector('#connection').hidden")
    page.wait_for_timeout(500)

    page.fill("#question", QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn:nth-of-type(2) .answer .marker", timeout=20_000)

    assert len(dropped) == 1
    assert page.locator(".turn").count() == 2
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".turn").count() == 2
