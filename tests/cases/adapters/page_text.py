"""Cases of the pre-check (which PDFs need OCR) and of which files are source files."""

from __future__ import annotations

from corpus.core.page_text import OcrNeed, format_report, ocr_need
from corpus.core.source_selection import select_pdfs, select_sources
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs

SCANNED, WRITTEN = [0, 0], [500, 400]


@runs("precheck", when=lambda case: "pages" in case["input"] or "missing" in case["input"])
def a_pdf_needs_ocr_or_not(case: Case, _suite: Suite) -> None:
    need = ocr_need(case["input"].get("pages"))
    assert {key: getattr(need, key) for key in case["expect"]} == case["expect"]


@runs("precheck", when=lambda case: "classified" in case["expect"])
def only_source_pdfs_are_looked_at(case: Case, _suite: Suite) -> None:
    found = select_pdfs(case["input"]["files"])
    assert list(found) == case["expect"]["classified"]
    assert case["expect"].get("report_contains", "") in format_report([(name, ocr_need(WRITTEN)) for name in found])


@runs("precheck", when=lambda case: "contains" in case["expect"])
def the_report_counts(case: Case, _suite: Suite) -> None:
    needs = [(name, need_of(name)) for name in case["input"]["files"]]
    assert all(part in format_report(needs) for part in case["expect"]["contains"])


@runs("find_source_files")
def source_files_are_found(case: Case, _suite: Suite) -> None:
    store = case["input"].get("store_dir")
    found = select_sources(case["input"]["files"], excluded=[store] if store else [])
    assert list(found.taken) == case["expect"]


def need_of(name: str) -> OcrNeed:
    return ocr_need(SCANNED if "scan" in name else WRITTEN)
