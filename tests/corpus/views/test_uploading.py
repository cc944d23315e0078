from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpus.models import SourceFile
from tests.people import TwoTeams

Begin = Callable[..., Any]


@pytest.fixture
def client_ben(two_teams: TwoTeams, settings: Any, tmp_path: Path) -> Client:
    settings.VAR = tmp_path
    client = Client()
    client.force_login(two_teams.ben)
    return client


@pytest.fixture
def begin(client_ben: Client, two_teams: TwoTeams) -> Begin:
    def ask(path: str, size: object, mark: str = "") -> Any:
        body = json.dumps({"collection": str(two_teams.papers.pk), "path": path, "size": size, "mark": mark})
        return client_ben.post(reverse("library-upload-begin"), body, content_type="application/json")

    return ask


def put(client: Client, token: str, piece: bytes, at: int) -> Any:
    address = reverse("library-upload-piece", args=[token])
    return client.put(address, piece, content_type="application/octet-stream", headers={"Upload-Offset": str(at)})


def test_a_file_comes_in_by_pieces(client_ben: Client, begin: Begin) -> None:
    token = begin("papers/x.md", 10).json()["upload"]

    assert put(client_ben, token, b"# Tit", 0).json() == {"offset": 5}
    told = put(client_ben, token, b"le\n\nA", 5).json()

    assert [(one["path"], one["change"]) for one in told["files"]] == [("papers/x.md", "new")]
    assert SourceFile.objects.get().size == 10


def test_an_upload_goes_on_where_it_broke_off(client_ben: Client, begin: Begin) -> None:
    token = begin("x.md", 10, mark="1").json()["upload"]
    put(client_ben, token, b"# Tit", 0)

    again = begin("x.md", 10, mark="1").json()

    assert again["offset"] == 5
    assert "files" in put(client_ben, again["upload"], b"le\n\nA", 5).json()


def test_a_piece_at_the_wrong_place_is_refused_with_the_right_one(client_ben: Client, begin: Begin) -> None:
    token = begin("x.md", 10).json()["upload"]
    put(client_ben, token, b"# Tit", 0)

    for at, piece in ((0, b"# Tit"), (7, b"le"), (5, b"far too much"), (-1, b"x")):
        answer = put(client_ben, token, piece, at)
        assert (answer.status_code, answer.json()["offset"]) == (409, 5)


@pytest.mark.parametrize(
    ("path", "size", "code"),
    [("x.xyz", 10, "unknown_type"), ("../x.md", 10, "bad_name"), ("x.md", 0, "empty"), ("x.md", 10**15, "too_large")],
)
def test_what_would_be_refused_is_refused_before_a_byte_is_sent(begin: Begin, path: str, size: int, code: str) -> None:
    answer = begin(path, size)

    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["error"]


@pytest.mark.parametrize("size", [None, "10", -1, 1.5, True, {}])
def test_a_size_that_is_none_is_refused(begin: Begin, size: object) -> None:
    assert begin("x.md", size).status_code == 400


def test_many_files_come_in_by_one_request_and_a_bad_one_stops_none(client_ben: Client, two_teams: TwoTeams) -> None:
    files = [SimpleUploadedFile("a.md", b"# A"), SimpleUploadedFile("b.pdf", b"<html>"), SimpleUploadedFile("c.md", b"# C")]

    told = client_ben.post(reverse("library-upload"), {"collection": two_teams.papers.pk, "file": files}).json()["files"]

    assert [(one["path"], one["change"]) for one in told] == [("a.md", "new"), ("b.pdf", "refused"), ("c.md", "new")]
    assert "HTML page" in told[1]["cause"]


def test_an_archive_is_unpacked(client_ben: Client, two_teams: TwoTeams) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("papers/a.md", "# A")
        archive.writestr("papers/data.bin", "0")
    upload = {"collection": two_teams.papers.pk, "file": SimpleUploadedFile("all.zip", out.getvalue())}

    told = client_ben.post(reverse("library-upload"), upload).json()["files"]

    assert [(one["path"], one["change"]) for one in told] == [("papers/a.md", "new"), ("papers/data.bin", "ignored")]


def test_a_request_without_files_says_so(client_ben: Client, two_teams: TwoTeams) -> None:
    answer = client_ben.post(reverse("library-upload"), {"collection": two_teams.papers.pk})

    assert (answer.status_code, answer.json()["error"]) == (400, "No file came with the request.")


def test_fetching_from_the_web_is_off_until_it_is_switched_on(client_ben: Client, two_teams: TwoTeams) -> None:
    asked = {"collection": two_teams.papers.pk, "url": "https://example.org/a.pdf"}

    for answer in (
        client_ben.post(reverse("library-fetch"), asked),
        client_ben.post("/api/v1/files/fetch", json.dumps(asked), content_type="application/json"),
    ):
        assert answer.status_code in {400, 422}
        assert answer.json()["error"] == "Fetching from the web is switched off."


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/a.pdf", "http://169.254.169.254/latest", "file:///etc/passwd", "http://[::1]/", "http://localhost:5432/"],
)
def test_nothing_inside_is_ever_fetched(client_ben: Client, two_teams: TwoTeams, settings: Any, url: str) -> None:
    settings.URL_IMPORT = True

    answer = client_ben.post(reverse("library-fetch"), {"collection": two_teams.papers.pk, "url": url})

    assert answer.status_code == 422
    assert not SourceFile.objects.exists()


def test_a_page_of_a_host_that_the_operator_allows_is_fetched_by_its_bytes(
    client_ben: Client, two_teams: TwoTeams, settings: Any, tmp_path: Path
) -> None:
    settings.URL_IMPORT, settings.URL_IMPORT_HOSTS = True, ["127.0.0.1"]
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / "article").write_text("<html><body>Words.</body></html>", encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "www"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/article"
        told = client_ben.post(reverse("library-fetch"), {"collection": two_teams.papers.pk, "url": url}).json()
        server.shutdown()

    assert [(one["path"], one["change"]) for one in told["files"]] == [("article.html", "new")]


def test_the_api_takes_files_and_tells_their_states(client_ben: Client, two_teams: TwoTeams) -> None:
    upload = {"collection": two_teams.papers.pk, "file": SimpleUploadedFile("a.md", b"# A"), "path": "deep/a.md"}

    taken = client_ben.post("/api/v1/files", upload).json()["files"][0]
    listed = client_ben.get("/api/v1/files?domain=physics&state=queued&text=deep").json()

    assert (taken["path"], taken["change"]) == ("deep/a.md", "new")
    assert [one["id"] for one in listed["files"]] == [taken["source_file_id"]]
    assert listed["states"] == {"queued": 1}
    assert client_ben.post(f"/api/v1/files/{taken['source_file_id']}/cancel").json() == {"count": 1}
    assert client_ben.post(
        f"/api/v1/files/{taken['source_file_id']}/retry", json.dumps({}), content_type="application/json"
    ).json() == {"count": 1}
    assert client_ben.delete(f"/api/v1/files/{taken['source_file_id']}").json() == {"count": 1}
    assert client_ben.get(f"/api/v1/files/{taken['source_file_id']}").status_code == 404
