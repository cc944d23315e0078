"""Cases whose expected outcome is not ours, each with what we do instead and why.

A deviation counts only where our code does not give the outcome that the case asks for; what it gives then must be
exactly `ours`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Deviation:
    """What we do instead of what a case expects, and the reason."""

    suite: str
    case: str
    ours: Any
    reason: str


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "resolve_metadata",
        "middle_only_heading_is_not_tried",
        {"y": 1, "u": "b"},
        "A heading entry counts for every chunk below it, so any contiguous part of the chain matches, a middle one too.",
    ),
    Deviation(
        "retrieval_depth_k",
        "query_uses_defaults",
        {"big": 2, "small": 5},
        "No store has a floor of its own for raw cosines: one calibrated score meets a threshold, at the end of a search.",
    ),
    Deviation(
        "backend_filter_translation",
        "pgvector_contains_like",
        {"authors": {"$contains": "Magee"}},
        "Membership in a list is no part of its text, or Lee would find Leeds; every back end means what `matches` means.",
    ),
    Deviation(
        "serialize_reference_material",
        "two_domains_and_no_heading",
        "## Papers\n\n### Source document 1/1: [p.pdf]\n\n  Chunk 1: (no heading)\np\n\n## Docs\n\n"
        "### Source document 1/1: [d.md]\n\n  Chunk 1: A\nd",
        "A blank line stands between two domains, so that the next heading does not run on from the last passage.",
    ),
    Deviation(
        "metadata_filter",
        "accents_kept_case_folded",
        ["d1", "d2"],
        "Text folds case and diacritics in every filter, since people type names as they can: Elodie finds Élodie.",
    ),
    Deviation(
        "child_to_parent",
        "two_children_one_parent",
        [["P1", 0.9], ["c", 0.8]],
        "A parent scores as its best child, as suite improve asks: a weak sibling must not sink it.",
    ),
    Deviation(
        "child_to_parent",
        "two_parents",
        [["P1", 0.9], ["P2", 0.8]],
        "A parent scores as its best child, as suite improve asks: a weak sibling must not sink it.",
    ),
    Deviation(
        "paging",
        "total_is_the_real_total",
        {"total": "a lower bound"},
        "A total counts the candidates that were ranked: stores are read as deep as the page needs, not to their end.",
    ),
    Deviation(
        "route_evaluation",
        "middle_coverage_is_a_dead_zone",
        "retrieve_more_info",
        "Middling coverage searches again while the budget lasts, as suite improve asks.",
    ),
    Deviation(
        "answer_cache",
        "one_word_differs",
        False,
        "An answer is only given again to the same question: one word, such as legal or estimated, makes another one.",
    ),
    Deviation(
        "prompt_fit",
        "tiny_budget",
        "refused",
        "Neither the question nor the instructions are ever cut: a question that does not fit is refused with advice.",
    ),
)


def deviation_of(suite: str, case: str) -> Deviation | None:
    """Return the deviation that is written down for a case, if there is one."""
    return next((entry for entry in DEVIATIONS if (entry.suite, entry.case) == (suite, case)), None)
