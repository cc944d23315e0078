"""Cases of the normalisation of text."""

from __future__ import annotations

from corpus.core.text import normalize_text
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs


@runs("normalize_text")
def text_becomes_plain(case: Case, _suite: Suite) -> None:
    assert normalize_text(case["input"]["text"]) == case["expect"]
