from __future__ import annotations

import pytest

from corpus.core.page_text import format_report, is_gibberish, ocr_need, page_kind

ENGLISH = "The membrane potential of the cell follows from the balance of currents through its channels. " * 4
GERMAN = "Die Schwingungsfrequenz hängt von der Steifigkeit ab, wie schon früher gezeigt wurde. " * 4
CHINESE = "神经元是神经系统的基本结构和功能单位。" * 8
ARABIC = "الخلايا العصبية هي الوحدة الأساسية للجهاز العصبي. " * 6
NUMBERS = "0.123 0.456 0.789 12.4 -3.2 1e-5 2021 55 12 0.1 0.2 0.3 0.4 0.5 0.6 " * 6


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, CHINESE, ARABIC, NUMBERS, "Fig. 3", ""])
def test_text_of_any_language_is_no_gibberish(text: str) -> None:
    assert not is_gibberish(text)


@pytest.mark.parametrize(
    "text",
    [
        "/g37/g72/g3/g47/g82/g81/g74 /g12/g13/g15/g99/g88/g82",
        "(cid:12)(cid:7)(cid:9)(cid:44)(cid:2)(cid:9)(cid:51)",
        "\ue001\ue002\ue003 \ue004\ue005 \ue010\ue011\ue012 \ue020 " * 4,
        "\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd a\ufffd\ufffd b " * 4,
        "GLYPH<12>GLYPH<44>GLYPH<9>",
        "Wkh phpeudqh srwhqwldo ri wkh fhoo iroorzv iurp wkh edodqfh ri fxuuhqwv wkurxjk lwv fkdqqhov dqg pruh zrugv "
        "wkdw vkrxog qrw eh uhdg xqghu dqb flufxpvwdqfhv zkhq wklv lv vkliwhg eb wkuhh",
    ],
)
def test_a_text_layer_without_text_is_gibberish(text: str) -> None:
    assert is_gibberish(text)


def test_a_page_says_what_it_is() -> None:
    assert page_kind(ENGLISH, has_ink=True) == "native"
    assert page_kind("", has_ink=False) == "empty"
    assert page_kind("", has_ink=True) == "needs_ocr"
    assert page_kind("stamp 12", has_ink=True) == "needs_ocr"
    assert page_kind("stamp 12", has_ink=True, has_pictures=False) == "native"
    assert page_kind("(cid:1)(cid:2)(cid:3)(cid:4)(cid:5)", has_ink=True) == "gibberish"


def test_the_report_counts_and_names_what_needs_ocr() -> None:
    report = format_report([("scan.pdf", ocr_need([0, 3])), ("text.pdf", ocr_need([400])), ("bad.pdf", ocr_need(None))])
    assert report.splitlines() == [
        "3 PDFs: 2 need OCR, 1 are text-based",
        "  scan.pdf: 2 of 2 pages without text",
        "  bad.pdf: no page can be read",
    ]
