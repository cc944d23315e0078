"""Is the question safe to answer? Off unless GUARD is on and a model does the job."""

from __future__ import annotations

from django.conf import settings

from chat.core.prompts import guard as prompt
from chat.provider import Call, Message, OtherTask
from chat.provider_error import ProviderError
from chat.turn_run import TurnRun

DECLINED = "This question can't be answered here. Please ask about the subjects of the library."


async def guard(run: TurnRun) -> bool:
    """Return whether the question may be answered; when the guard fails, GUARD_FAILS_CLOSED decides."""
    if not settings.GUARD or not run.models.has_model("guard"):
        return True
    with run.stage("guard", "Checking the question") as step:
        verdict = await _verdict(run)
        run.trace["guard"] = {"safe": verdict.safe, "categories": list(verdict.categories)}
        step.summary = "safe" if verdict.safe else "declined"
    return verdict.safe


async def _verdict(run: TurnRun) -> prompt.Verdict:
    call = Call(
        purpose="guard",
        system=prompt.SYSTEM,
        messages=(Message("user", prompt.user(run.question)),),
        task=OtherTask(run.question),
        max_tokens=64,
        timeout_s=20,
    )
    try:
        return prompt.read(await run.models.text(call), safe_if_unclear=not settings.GUARD_FAILS_CLOSED)
    except ProviderError as error:
        run.notice("The check of the question did not work.", level="warning")
        run.trace["guard_error"] = str(error)
        return prompt.Verdict(safe=not settings.GUARD_FAILS_CLOSED)
