from __future__ import annotations

from corpus.core.docling_json import beginning_of, has_text, headings_of, links_of, signs_of, title_of

DOCUMENT = {
    "origin": {"mimetype": "application/pdf", "uri": "https://example.org/a.pdf"},
    "texts": [
        {"label": "page_header", "text": "Journal of Tests 12"},
        {"label": "title", "text": "On testing"},
        {"label": "section_header", "text": "Abstract"},
        {"label": "text", "text": "We test.", "hyperlink": "https://example.org/data"},
        {"label": "text", "text": "Again.", "hyperlink": "https://example.org/data"},
        {"label": "text", "text": "Local.", "hyperlink": "file.html"},
    ],
}


def test_signs_are_gathered_from_document_and_findings() -> None:
    line = {"text": "On testing", "size": 18, "bold": True, "page": 1, "box": [1, 2, 3, 4]}
    info = {"pdf_info": {"Title": "T"}, "header_lines": [line]}

    signs = signs_of("a.pdf", DOCUMENT, info)

    assert (signs.docling_title, signs.mimetype, signs.uri) == ("On testing", "application/pdf", "https://example.org/a.pdf")
    assert signs.info == {"Title": "T"}
    assert signs.header[0].box is not None
    assert signs.header[0].box.as_list() == [1, 1, 2, 3, 4]
    assert signs.links == ("https://example.org/data",)


def test_the_beginning_leaves_running_heads_out_and_is_cut() -> None:
    assert beginning_of(DOCUMENT).startswith("On testing\nAbstract\nWe test.")
    assert beginning_of(DOCUMENT, 4) == "On t"


def test_an_empty_document_gives_nothing() -> None:
    assert (title_of({}), headings_of({}), links_of({}), beginning_of({}), has_text({})) == (None, (), (), "", False)


def test_odd_findings_do_no_harm() -> None:
    signs = signs_of("a.pdf", {"texts": [{"label": "text"}, "odd"]}, {"header_lines": [{"text": None, "box": [1]}]})

    assert signs.header[0].box is None
