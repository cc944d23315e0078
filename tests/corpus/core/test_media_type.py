from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.media_type import KINDS, Refused, extension_of, kind_by_bytes, kind_by_name


@pytest.mark.parametrize(
    ("name", "head", "media_type"),
    [
        ("a.pdf", b"%PDF-1.7\n", "application/pdf"),
        ("a.PDF", b"junk before\n%PDF-1.4\n", "application/pdf"),
        ("a.md", b"# Title", "text/markdown"),
        ("a.htm", b"<p>no head at all", "text/html"),
        ("a.xml", b"<?xml version='1.0'?><article>", "application/jats+xml"),
        ("a.nxml", b"<!DOCTYPE article PUBLIC '-//NLM//DTD JATS'>", "application/jats+xml"),
        ("a.json", b'{"schema_name": "DoclingDocument"}', "application/vnd.docling+json"),
        ("a.txt", "naïve".encode("utf-16-le"), "text/plain"),
    ],
)
def test_bytes_and_name_agree(name: str, head: bytes, media_type: str) -> None:
    assert kind_by_bytes(head, name).media_type == media_type


def test_office_files_are_told_apart_by_what_is_in_them() -> None:
    head = b"PK\x03\x04" + bytes(60)

    assert kind_by_bytes(head, "a.docx", members=["[Content_Types].xml", "word/document.xml"]).label == "Word document"
    with pytest.raises(Refused, match=r"its bytes are a Excel workbook|Excel workbook"):
        kind_by_bytes(head, "a.docx", members=["[Content_Types].xml", "xl/workbook.xml"])


def test_an_opendocument_is_known_by_its_first_member() -> None:
    said = b"application/vnd.oasis.opendocument.text"
    head = b"PK\x03\x04" + bytes(18) + len(said).to_bytes(4, "little") + bytes(4) + b"mimetype" + said

    assert kind_by_bytes(head, "a.odt").label == "OpenDocument text"


def test_a_html_page_named_pdf_is_called_by_its_name() -> None:
    with pytest.raises(Refused) as refusal:
        kind_by_bytes(b"\n<!doctype HTML>\n<title>Sign in</title>", "paper.pdf")

    assert "HTML page" in refusal.value.cause
    assert ".html" in refusal.value.advice


def test_a_picture_named_as_a_paper_is_refused() -> None:
    with pytest.raises(Refused, match="JPEG"):
        kind_by_bytes(b"\xff\xd8\xff\xe0", "paper.pdf")


def test_every_extension_leads_to_one_kind() -> None:
    extensions = [extension for kind in KINDS for extension in kind.extensions]

    assert len(extensions) == len(set(extensions))
    assert all(kind_by_name(f"x{extension.upper()}").extensions.count(extension) == 1 for extension in extensions)


def test_a_hidden_name_has_no_extension() -> None:
    assert (extension_of(".md"), extension_of("a/b.tar.GZ"), extension_of("a.b/c")) == ("", ".gz", "")


@given(st.binary(max_size=200), st.sampled_from([kind.extensions[0] for kind in KINDS]))
def test_any_bytes_are_taken_or_refused_with_words(head: bytes, extension: str) -> None:
    try:
        found = kind_by_bytes(head, f"x{extension}", members=["a"]).extensions
    except Refused as refusal:
        found = (extension,) if refusal.cause and refusal.code else ()
    assert extension in found
