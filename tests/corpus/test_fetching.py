from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from corpus.fetching import FetchRefused, fetch, public_address


class Handler(BaseHTTPRequestHandler):
    """Answers by path, as a server on the web would."""

    def do_GET(self) -> None:
        if self.path == "/to-metadata":
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest/meta-data/")
            self.end_headers()
            return
        if self.path == "/round":
            self.send_response(302)
            self.send_header("Location", "/round")
            self.end_headers()
            return
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        if self.path == "/named":
            self.send_header("Content-Disposition", 'attachment; filename="../../paper.pdf"')
        if self.path == "/long-announced":
            self.send_header("Content-Length", "999999999")
        self.end_headers()
        size = 5000 if self.path == "/endless" else 5
        self.wfile.write(b"x" * size)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "10.1.2.3", "192.168.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "0.0.0.0", "100.64.0.1"],
)
def test_an_address_inside_the_network_is_refused(host: str) -> None:
    with pytest.raises(FetchRefused, match="not on the public web"):
        public_address(host, 80)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/a", "gopher://x", "https://", "not an address"])
def test_only_web_addresses_are_fetched(url: str, tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="http"):
        fetch(url, tmp_path / "x", max_bytes=10)


def test_a_password_in_the_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="password"):
        fetch("https://me:secret@example.org/", tmp_path / "x", max_bytes=10)


def test_another_port_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="Port 5432"):
        fetch("http://example.org:5432/", tmp_path / "x", max_bytes=10)


def test_a_host_that_the_operator_allows_is_fetched(server: str, tmp_path: Path) -> None:
    name = fetch(f"{server}/a/report.txt", tmp_path / "x", max_bytes=100, allowed_private=["localhost"])

    assert (name, (tmp_path / "x").read_bytes()) == ("report.txt", b"xxxxx")


def test_a_redirect_into_the_network_is_refused(server: str, tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="not on the public web"):
        fetch(f"{server}/to-metadata", tmp_path / "x", max_bytes=100, allowed_private=["localhost"])


def test_a_redirect_without_end_is_refused(server: str, tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="too often"):
        fetch(f"{server}/round", tmp_path / "x", max_bytes=100, allowed_private=["localhost"])


@pytest.mark.parametrize("path", ["/long-announced", "/endless"])
def test_a_file_over_the_limit_is_refused_and_leaves_nothing(server: str, path: str, tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="larger than"):
        fetch(f"{server}{path}", tmp_path / "x", max_bytes=1000, allowed_private=["localhost"])
    assert not (tmp_path / "x").exists()


def test_a_name_from_the_server_cannot_leave_the_folder(server: str, tmp_path: Path) -> None:
    assert fetch(f"{server}/named", tmp_path / "x", max_bytes=100, allowed_private=["localhost"]) == "paper.pdf"


def test_an_error_of_the_server_is_told(server: str, tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="status 404"):
        fetch(f"{server}/missing", tmp_path / "x", max_bytes=100, allowed_private=["localhost"])


def test_a_host_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(FetchRefused, match="can't be found"):
        fetch("https://no-such-host.invalid/", tmp_path / "x", max_bytes=10)
