"""Is the draft good enough, and if not, what next? Checks first, then one grader call if it can matter, then the table."""

from __future__ import annotations

from django.conf import settings

from chat.core.prompts import evaluate as prompt
from chat.core.verdict import Evaluation, Situation, Verdict, grading_can_matter, read_evaluation, verdict
from chat.provider import Call, Message, OtherTask
from chat.provider_error import ProviderError
from chat.turn_run import TurnRun

NOTHING_FOUND = Evaluation(coverage=0.0, next_step="modify_query", summary="The sources found so far don't answer the question.")
FOR_ONE_ROUND = 3  # model calls: plan, answer, evaluate


async def judge(run: TurnRun) -> Verdict:
    """Return what happens to the draft."""
    if not run.models.has_model("answer"):
        return Verdict("continue" if run.draft else "clarify", "extracts")
    situation = situation_of(run)
    evaluation = await _evaluation(run, situation)
    found = verdict(evaluation, situation)
    run.trace.setdefault("verdicts", []).append({"outcome": found.outcome, "rule": found.rule, "evaluation": _shown(evaluation)})
    run.feedback = _feedback(run, found)
    return found


def situation_of(run: TurnRun) -> Situation:
    """Return where the turn stands."""
    budget = run.budget()
    return Situation(
        has_answer=bool(run.draft),
        retrievals=run.round,
        most_retrievals=settings.SEARCH_ROUNDS,
        rewrites=run.rewrites,
        most_rewrites=settings.REWRITES,
        has_stores=bool(run.domains) and not run.is_searched_out,
        can_deepen=run.may_deepen,
        may_fall_back=settings.FALLBACK_TO_MODEL,
        unsupported=len(run.problems),
        out_of_budget=not budget.allows_round(calls=FOR_ONE_ROUND, seconds=budget.seconds_used / max(1, run.round)),
    )


async def _evaluation(run: TurnRun, situation: Situation) -> Evaluation | None:
    if not run.draft:
        return NOTHING_FOUND
    evidence = max((source.score for source in run.sources), default=0.0)
    if not grading_can_matter(situation, evidence=evidence):
        return _passed(situation)
    with run.stage("evaluate", "Judging the answer") as step:
        call = Call(
            purpose="evaluate",
            system=prompt.SYSTEM,
            messages=(Message("user", prompt.user(run.standalone, run.sources, run.draft, problems=run.problems)),),
            task=OtherTask(run.question),
            schema=prompt.schema(),
            max_tokens=500,
            timeout_s=30,
        )
        try:
            found = read_evaluation((await run.models.structured(call)).value)
        except ProviderError as error:
            run.trace["grader_error"] = str(error)
            found = None
        step.summary = found.next_step.replace("_", " ") if found else "could not be judged"
        return found


def _passed(situation: Situation) -> Evaluation | None:
    """Return the evaluation of a draft that no grader needs to see: all is well, or nothing may be tried again."""
    if situation.unsupported:
        return None
    return Evaluation(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, "continue")


def _feedback(run: TurnRun, found: Verdict) -> str:
    told = [found.feedback] if found.feedback else []
    if run.problems:
        told.append("These sentences have no support in the sources: " + " | ".join(run.problems[:6]))
    return " ".join(told)


def _shown(evaluation: Evaluation | None) -> dict[str, object] | None:
    return dict(evaluation.__dict__) if evaluation else None
