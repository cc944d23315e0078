"""What happens to a draft: a table that has exactly one outcome for every evaluation and every state of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Outcome = Literal[
    "continue", "retrieve_more", "modify_query", "rewrite_answer", "fallback", "clarify", "best_effort"
]  # fmt: skip
NextStep = Literal["continue", "retrieve_more", "modify_query", "rewrite_answer", "undefined"]

PASS: Final = 0.5
FLOOR: Final = 0.3
SCORES: Final = ("coverage", "confidence", "relevance", "groundedness", "coherence", "conciseness")
_NEXT_STEPS: Final[Mapping[str, NextStep]] = {
    "continue": "continue",
    "retrieve_more": "retrieve_more",
    "retrieve_more_info": "retrieve_more",
    "modify_query": "modify_query",
    "rewrite_answer": "rewrite_answer",
}


@dataclass(frozen=True)
class Evaluation:
    """What a grader said: six scores in 0..1, what it would do next, and why.

    `coverage` and `confidence` judge the evidence, the others the answer.
    """

    coverage: float = 0.0
    confidence: float = 0.0
    relevance: float = 0.0
    groundedness: float = 0.0
    coherence: float = 0.0
    conciseness: float = 0.0
    next_step: NextStep = "undefined"
    summary: str = ""

    @property
    def least(self) -> float:
        """The lowest score."""
        return min(self.coverage, self.confidence, self.least_of_answer)

    @property
    def least_of_answer(self) -> float:
        """The lowest score of the answer itself."""
        return min(self.relevance, self.groundedness, self.coherence, self.conciseness)


@dataclass(frozen=True)
class Situation:
    """Where a turn stands when its draft is judged.

    Attributes:
        retrievals: searches so far, the first included.
        unsupported: cited or claiming sentences that the sources don't support, found without a model.
        can_deepen: whether some store can be searched deeper than it was.
        out_of_budget: calls, tokens or seconds are used up, so that nothing may be tried again.
    """

    has_answer: bool = True
    retrievals: int = 1
    most_retrievals: int = 5
    rewrites: int = 0
    most_rewrites: int = 1
    has_stores: bool = True
    can_deepen: bool = True
    may_fall_back: bool = True
    unsupported: int = 0
    out_of_budget: bool = False

    @property
    def may_retrieve(self) -> bool:
        """Whether another search is within the limits."""
        return self.has_stores and not self.out_of_budget and self.retrievals < self.most_retrievals

    @property
    def may_rewrite(self) -> bool:
        """Whether another draft is within the limits."""
        return not self.out_of_budget and self.rewrites < self.most_rewrites


@dataclass(frozen=True)
class Verdict:
    """The outcome, the rule that decided it, and what a new draft or query is told."""

    outcome: Outcome
    rule: str
    feedback: str = ""


@dataclass(frozen=True)
class _Facts:
    """An evaluation in a situation."""

    said: Evaluation
    now: Situation
    graded: bool = field(default=True)


_Rule = tuple[str, Callable[[_Facts], bool], Callable[[_Facts], Outcome]]


def _deeper(facts: _Facts) -> Outcome:
    return "retrieve_more" if facts.now.can_deepen else "modify_query"


def _always(outcome: Outcome) -> Callable[[_Facts], Outcome]:
    return lambda _: outcome


def _good(facts: _Facts) -> bool:
    return facts.said.next_step == "continue" and facts.said.least >= PASS and facts.now.has_answer


TABLE: Final[tuple[_Rule, ...]] = (
    # evidence and answer are good
    ("sentences without support", lambda f: f.now.unsupported > 0 and f.now.may_rewrite and _good(f), _always("rewrite_answer")),
    ("all good", _good, _always("continue")),
    # the grader failed: what can be checked without it decides, and nothing loops
    (
        "not graded, unsupported",
        lambda f: not f.graded and f.now.unsupported > 0 and f.now.may_rewrite,
        _always("rewrite_answer"),
    ),
    ("not graded", lambda f: not f.graded and f.now.has_answer, _always("best_effort")),
    ("not graded, no answer", lambda f: not f.graded, _always("clarify")),
    # the evidence is lacking, and the budget allows another search
    ("coverage low", lambda f: f.now.may_retrieve and f.said.coverage < FLOOR, _always("modify_query")),
    ("another query", lambda f: f.now.may_retrieve and f.said.next_step == "modify_query", _always("modify_query")),
    ("more evidence", lambda f: f.now.may_retrieve and f.said.next_step == "retrieve_more", _deeper),
    ("confidence middling", lambda f: f.now.may_retrieve and f.said.coverage >= PASS > f.said.confidence, _deeper),
    ("coverage middling", lambda f: f.now.may_retrieve and f.said.coverage < PASS, _deeper),
    # the evidence is there, the answer is not good
    ("another draft", lambda f: f.now.may_rewrite and f.said.next_step == "rewrite_answer", _always("rewrite_answer")),
    (
        "answer weak",
        lambda f: f.now.may_rewrite and min(f.said.coverage, f.said.confidence) >= PASS > f.said.least_of_answer,
        _always("rewrite_answer"),
    ),
    # nothing may be tried again
    (
        "evidence too thin",
        lambda f: min(f.said.coverage, f.said.confidence) < FLOOR,
        lambda f: "fallback" if f.now.may_fall_back else "clarify",
    ),
    ("not grounded", lambda f: f.said.groundedness < FLOOR or not f.now.has_answer, _always("clarify")),
    ("the rest", lambda _: True, _always("best_effort")),
)
"""First match wins; the last row matches always."""


def verdict(evaluation: Evaluation | None, situation: Situation) -> Verdict:
    """Decide what happens to a draft.

    Args:
        evaluation: None if the grader failed or wasn't asked.
        situation: where the turn stands.

    >>> verdict(Evaluation(0.9, 0.9, 0.9, 0.9, 0.9, 0.9, "continue"), Situation()).outcome
    'continue'
    >>> verdict(None, Situation()).outcome
    'best_effort'
    """
    facts = _Facts(evaluation or Evaluation(), situation, graded=evaluation is not None)
    for name, holds, outcome in TABLE:
        if holds(facts):
            return Verdict(outcome(facts), name, facts.said.summary)
    raise AssertionError("The last row of the table matches always.")


def grading_can_matter(situation: Situation, *, evidence: float) -> bool:
    """Tell whether a grader could still change the outcome.

    It is spared where nothing may be tried again, and where the evidence is strong and every sentence has support.

    Args:
        situation: where the turn stands.
        evidence: how sure retrieval is of its best passages, 0..1.
    """
    if not (situation.may_retrieve or situation.may_rewrite):
        return False
    return not (situation.has_answer and situation.unsupported == 0 and evidence >= 0.8)


def read_evaluation(value: Mapping[str, Any]) -> Evaluation | None:
    """Read a grader's reply; scores are limited to 0..1. None if it has none of the scores: then the grader failed.

    >>> read_evaluation({"coverage": 1.4, "next_step": "retrieve_more_info"}).next_step
    'retrieve_more'
    """
    scores = {name: _score(value.get(name)) for name in SCORES}
    if all(score is None for score in scores.values()):
        return None
    return Evaluation(
        **{name: score or 0.0 for name, score in scores.items()},
        next_step=_NEXT_STEPS.get(str(value.get("next_step")), "undefined"),
        summary=" ".join(str(value.get("summary") or "").split())[:1_000],
    )


def _score(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 -- NaN differs from itself
        return None
    return min(max(float(value), 0.0), 1.0)
