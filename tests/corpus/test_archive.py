from __future__ import annotations

import io
import stat
import zipfile

import pytest

from corpus.archive import Limits, check, members_of
from corpus.core.media_type import Refused


def zipped(*members: tuple[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    out.seek(0)
    return out


def read(file: io.BytesIO, limits: Limits = Limits()) -> dict[str, bytes]:  # noqa: B008
    return {member.path: b"".join(member.content) for member in members_of(file, limits)}


def refusal(file: io.BytesIO, limits: Limits = Limits()) -> str:  # noqa: B008
    with pytest.raises(Refused) as error:
        read(file, limits)
    return error.value.code


def test_members_come_with_their_paths_and_bytes() -> None:
    assert read(zipped(("a/x.md", b"# X"), ("b.txt", b"b"))) == {"a/x.md": b"# X", "b.txt": b"b"}


@pytest.mark.parametrize("name", ["../x.md", "a/../../x.md", "/etc/x.md", "C:/x.md", "..\\x.md"])
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    assert refusal(zipped((name, b"x"))) == "bad_archive"


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    assert refusal(zipped(("x.txt", bytes(50 << 20)))) == "zip_bomb"


def test_a_bomb_that_lies_about_its_size_is_stopped_while_it_unpacks() -> None:
    file = zipped(("x.txt", bytes(20 << 20)))
    raw = bytearray(file.getvalue())
    size = (20 << 20).to_bytes(4, "little")
    for place in [index for index in range(len(raw) - 3) if raw[index : index + 4] == size]:
        raw[place : place + 4] = (1000).to_bytes(4, "little")

    assert refusal(io.BytesIO(bytes(raw))) in {"zip_bomb", "bad_archive"}


def test_more_in_all_than_allowed_is_refused() -> None:
    parts = [(f"{number}.txt", bytes(range(256)) * 40) for number in range(10)]

    assert refusal(zipped(*parts), Limits(total_bytes=50_000)) == "archive_too_large"


def test_too_many_members_are_refused() -> None:
    assert refusal(zipped(*((f"{number}.txt", b"x") for number in range(20))), Limits(members=10)) == "archive_too_large"


def test_too_deep_folders_are_refused() -> None:
    assert refusal(zipped(("a/" * 30 + "x.txt", b"x"))) == "bad_archive"


def test_a_link_in_an_archive_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("x.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    out.seek(0)

    assert refusal(out) == "bad_archive"


def test_what_is_no_archive_is_refused() -> None:
    assert refusal(io.BytesIO(b"PK\x03\x04 and then nothing")) == "bad_archive"


def test_a_document_that_is_a_bomb_inside_is_refused() -> None:
    with pytest.raises(Refused, match="unpacks to far more"):
        check(zipped(("word/document.xml", bytes(60 << 20))))
