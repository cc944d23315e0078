"""What a source says, what it doesn't, and what only looks like it."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from chat.core.quotes import find_quote
from chat.core.support import Judgement, judge
from tests.chat.core.adversary import TRUE, claims

SOURCE = (
    "The T-type channel Cav3.1 opens at -60 mV. Hodgkin and Huxley recorded from 12 axons of Loligo. "
    "We found no evidence that calcium causes the spike. The current rose by 3.5% in slices, and it decreased with age. "
    "Block of the channel did not change the threshold. The second dose reduced pain in 40 of 120 patients."
)


def judged(sentence: str, *, source: str = SOURCE, entailment: float | None = None) -> Judgement:
    return judge(sentence, source, find_quote(sentence, source), entailment=entailment)


@pytest.mark.parametrize(
    "sentence",
    [
        "The T-type channel Cav3.1 opens at -60 mV.",
        "the t\u2010type channel Cav3.1 opens at \u221260 mV!",
        "Block of the channel did not change the threshold",
        'The authors write: "Block of the channel did not change the threshold".',
    ],
)
def test_words_that_stand_in_the_source_are_verified(sentence: str) -> None:
    assert judged(sentence).support == "verified"


@pytest.mark.parametrize(
    ("sentence", "support"),
    [
        ("The T-type channel Cav3.1 opens at 60 mV.", "unsupported"),
        ("The T-type channel Cav3.2 opens at -60 mV.", "unsupported"),
        ("The current rose by 3 in slices.", "unsupported"),
        ("The current rose by 3.", "unsupported"),
        ("Hodgkin and Huxley recorded from two axons of Loligo.", "unsupported"),
        ("The second dose reduced pain in 12 of 120 patients.", "unsupported"),
        ('It says "the current rose in all patients".', "unsupported"),
        ("Photosynthesis needs light.", "unsupported"),
        ("Calcium causes the spike.", "weak"),
        ("Block of the channel did change the threshold.", "weak"),
        ("The T-type channel Cav3.1 does not open at -60 mV.", "weak"),
        ("Hodgkin and Katz recorded from 12 axons of Loligo.", "weak"),
        ("The current increased with age.", "weak"),
        ("The T-type channel Cav3.1 opens at -60 mV, as rodents sleep during winter months.", "weak"),
        ("Block of the channel reduced pain in 40 of 120 patients.", "weak"),
    ],
)
def test_what_differs_is_not_supported(sentence: str, support: str) -> None:
    found = judged(sentence)
    assert found.support == support, found
    assert found.reasons


@pytest.mark.parametrize(
    "sentence",
    [
        "Cav3.1, a T-type channel, opens at -60 mV.",
        "In slices, the current rose by 3.5%.",
        "Pain was reduced by the second dose in 40 of 120 patients.",
        "Blocking the channel did not change the threshold.",
    ],
)
def test_the_same_in_other_words_is_supported(sentence: str) -> None:
    assert judged(sentence).support == "supported"


def test_a_model_lifts_what_words_alone_cannot_tell() -> None:
    sentence = "A second administration lessened suffering for a third of participants."
    assert judged(sentence).support != "supported"
    assert judged(sentence, entailment=0.97).support == "supported"


@pytest.mark.parametrize("sentence", ["The T-type channel Cav3.1 opens at 60 mV.", "Calcium causes the spike."])
def test_no_model_lifts_what_is_plainly_false(sentence: str) -> None:
    assert judged(sentence, entailment=1.0) == judged(sentence)


def test_a_model_lowers_what_it_does_not_find() -> None:
    assert judged("In slices, the current rose by 3.5%.", entailment=0.02).support == "weak"


def test_an_exponent_is_no_note_number() -> None:
    assert judged("There were 10 cells.", source="There were 10³ cells.").support == "unsupported"
    assert judged("Cells were counted.", source="Cells¹² were counted.").support == "verified"


def test_a_word_broken_at_a_line_end_is_found() -> None:
    source = "The depolari-\nzation spreads in well-\nknown steps."
    assert judged("The depolarization spreads in well-known steps.", source=source).support == "verified"


def test_false_claims_over_real_abstracts_are_caught(shared_data: Callable[[str], Path]) -> None:
    """Precision of `verified` is 1; true sentences pass; each kind of false one is caught nine times in ten."""
    with gzip.open(shared_data("ir-scifact") / "corpus.jsonl.gz", "rt", encoding="utf-8") as rows:
        passages = [json.loads(row)["text"] for row in rows][:150]
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for claim in claims(passages):
        told[claim.kind][judged(claim.text, source=claim.source).support] += 1
    assert sum(found["verified"] for kind, found in told.items() if kind not in TRUE) == 0
    for kind, found in told.items():
        passed = (found["verified"] + found["supported"]) / found.total()
        assert passed >= 0.98 if kind in TRUE else passed <= 0.1, (kind, found)
