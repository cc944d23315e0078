"""Cases of what a document says of itself: labels in its text, and the cascade of tiers."""

from __future__ import annotations

import dataclasses
from typing import Any

from corpus.core.choosing import choose, values_of
from corpus.core.extraction.cascade import SEED_LABELS, DocumentSigns, dois_to_look_up, facts_of, propose_metadata
from corpus.core.extraction.lines import HeaderLine
from corpus.core.extraction.patterns import labelled_values
from corpus.core.extraction.registered import with_record
from corpus.core.matching import DocumentFacts
from corpus.core.record import BibliographicRecord
from corpus.core.serialisation.metadata_map import record_of
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs


@runs("regex_extraction")
def labels_are_read(case: Case, _suite: Suite) -> None:
    given = case["input"]
    text = given["text"] if "text" in given else given["text_repeat"][0] * given["text_repeat"][1] + given["then"]
    assert labelled_values(text) == case["expect"]


@runs("extraction_cascade")
def tiers_are_folded(case: Case, _suite: Suite) -> None:
    values, asked = extract(case["input"])
    expected = dict(case["expect"])
    assert not set(expected.pop("absent", [])) & set(values)
    assert expected.pop("_sources_includes", "") in ["", *values["_sources"]]
    assert expected.pop("resolver_called_with", asked) == asked
    assert {key: values.get(key) for key in expected} == expected


def extract(given: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    text_only = "text" in given and not {"docling_title", "header_text", "pdf_info"} & set(given)
    signs = DocumentSigns(
        name=given.get("file", "file.pdf"),
        text=given.get("text", ""),
        info=given.get("pdf_info", {}),
        docling_title=given.get("docling_title"),
        mimetype="" if text_only else "application/pdf",
        header=tuple(HeaderLine(line) for line in given.get("header_text", "").splitlines()),
    )
    proposals = propose_metadata(signs)
    asked = next(iter(dois_to_look_up(proposals)), None)
    if asked and "record" in given:
        record = record_of(given["record"])
        proposals = with_record(proposals, record, looked_up=asked, document=printing(record, facts_of(signs, proposals)))
    values = values_of(choose(proposals))
    return {**values, "_sources": [SEED_LABELS.get(tier, tier) for tier in values["_sources"]]}, asked


def printing(record: BibliographicRecord, facts: DocumentFacts) -> DocumentFacts:
    """Let the document print what the record says, as a paper does.

    These cases are about which tier wins; whether a record is the document's at all is asked in suite improve.
    """
    names = [author.display() for author in record.authors]
    return dataclasses.replace(facts, opening="\n".join([facts.opening, record.title, *names]))
