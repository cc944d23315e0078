"""Make the pictures of the README: start Klea in a fresh folder, ask the demo domain, look. ``make screenshots``."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.conftest import FLAGS

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = ROOT / "docs" / "screenshots"
WIDE = {"width": 1360, "height": 860}
QUESTIONS = [
    "How do I check a source of an answer?",
    "What does the state Partial mean?",
    "Which files can Klea read?",
]


@contextmanager
def running(var: Path, port: int) -> Iterator[tuple[str, str]]:
    """Start Klea and yield its address and a sign-in link; stop it at the end."""
    environment = {**os.environ, "KLEA_VAR": str(var)}
    command = [sys.executable, "manage.py", "up", "--port", str(port), "--open", "0"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    address = link = ""
    try:
        assert server.stdout is not None
        for line in server.stdout:
            sys.stdout.write(line)
            address = found.group(1) if (found := re.match(r"ready: (\S+?)/?$", line)) else address
            link = found.group(1) if (found := re.match(r"sign-in: (\S+)", line)) else link
            if address and link:
                break
        yield address, link
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=60)


def shoot(page: Any, name: str) -> None:
    """Keep what the page shows."""
    page.wait_for_timeout(400)
    page.screenshot(path=str(TARGET / f"{name}.png"))


def ask(page: Any, question: str) -> None:
    """Ask, and wait for the answer."""
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn:last-child .turn-actions button", timeout=60_000)


def wait_for_demo(page: Any, address: str) -> None:
    """Wait until every page of the handbook is ready."""
    for _ in range(90):
        page.goto(f"{address}/library/")
        states = page.eval_on_selector_all("tr.file", "rows => rows.map((row) => row.dataset.state)")
        if states and not set(states) & {"queued", "converting", "indexing"}:
            return
        time.sleep(2)


def open_marked_page(page: Any) -> None:
    """Open a citation with the picture of its page, the latest there is; any citation where there is none."""
    markers = page.locator(".turn .answer .marker")
    for place in reversed(range(markers.count())):
        markers.nth(place).click()
        if page.locator(".panel .page-picture").count():
            page.wait_for_function("() => document.querySelector('.page-picture').naturalWidth > 100")
            page.wait_for_selector(".page-marks rect", state="attached")
            return


def review_a_pdf(page: Any) -> None:
    """Go on in the review until a file with pages comes."""
    for _ in range(20):
        page.wait_for_timeout(300)
        if page.locator(".review-page .page-picture").count() or not page.locator(".review-field").count():
            return
        page.keyboard.press("n")


def look(address: str, link: str) -> None:
    """Take the pictures, light, dark and narrow."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome") or ""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_context(viewport=WIDE).new_page()
        page.goto(link)
        wait_for_demo(page, address)
        shoot(page, "library")
        page.goto(f"{address}/")
        page.wait_for_selector("body[data-ready]")
        shoot(page, "welcome")
        for question in QUESTIONS:
            ask(page, question)
        shoot(page, "conversation")
        open_marked_page(page)
        shoot(page, "answer")
        page.emulate_media(color_scheme="dark")
        shoot(page, "dark")
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 390, "height": 844})
        shoot(page, "narrow")
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}/admin/review/")
        page.wait_for_selector("body[data-ready]")
        review_a_pdf(page)
        shoot(page, "review")
        page.goto(f"{address}/admin/")
        shoot(page, "admin")
        browser.close()


def main() -> None:
    """Run the whole."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=8791)
    options.add_argument("--var", type=Path)
    chosen = options.parse_args()
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(chosen.var or Path(folder), chosen.port) as (address, link):
        look(address, link)


if __name__ == "__main__":
    main()
