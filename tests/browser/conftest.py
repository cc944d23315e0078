"""A served site and a browser for the tests of the pages."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROOT = Path(__file__).resolve().parent.parent.parent


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    return found


@pytest.fixture
def site(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """Serve the site from a process of its own, on the test's database; return its address."""
    from django.conf import settings
    from django.db import connection

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    parts = connection.settings_dict
    address = f"postgresql://{parts['USER']}@/{parts['NAME']}?host={parts['HOST']}"
    environment = {
        **os.environ,
        "DATABASE_URL": address,
        "KLEA_VAR": str(settings.VAR),
        "DJANGO_SETTINGS_MODULE": "tests.browser.served_settings",
        "KLEA_SERVED_FILES": str(settings.MEDIA_ROOT),
    }
    command = [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "klea_site.asgi:application"]
    log = (tmp_path / "site.log").open("w")
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/healthz", server)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=10)
        log.close()


@pytest.fixture
def browser() -> Iterator[Any]:
    """Return a browser without a profile."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in this thread
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield made
        made.close()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(150):
        if server.poll() is not None:
            raise RuntimeError("the site ended before it answered")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the site didn't answer within 30 seconds")
