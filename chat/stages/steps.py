"""Answer questions on the way first, where the plan says so: each is searched, answered and checked apart."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from django.conf import settings

from chat.core.citations import canonical_markers
from chat.core.prompts import finding as prompt
from chat.core.prompts.answer import NOTHING
from chat.core.prompts.plan import SubQuestion
from chat.core.source import Source
from chat.core.thinking import split_thinking
from chat.offloading import in_thread
from chat.provider import Call, Message, OtherTask
from chat.stages.retrieve import as_sources, request_of, unite, without_orders
from chat.turn_run import Finding, TurnRun
from retrieval.search import search

SOURCES_A_STEP = 6


async def take_steps(run: TurnRun) -> None:
    """Work through the sub-questions; those that need nothing of each other go side by side."""
    if not run.models.has_model("answer"):
        return
    steps = run.sub_questions[: settings.STEPS]
    while ready := [s for s in steps if s.id not in run.findings and all(need in run.findings for need in s.needs)]:
        if not run.budget().allows_round(calls=len(ready) + 1, seconds=0):
            run.notice("The question has more steps than may be taken; the rest is left out.", level="warning")
            return
        await asyncio.gather(*(_take(run, step) for step in ready))


async def _take(run: TurnRun, step: SubQuestion) -> None:
    with run.stage(f"step {step.id}", f"Step: {step.question[:120]}") as shown:
        request = replace(request_of(run), text=step.question, queries=(), keywords="", limit=SOURCES_A_STEP, round=0)
        response = await in_thread(search, request)
        found = unite(run, without_orders(run, await in_thread(as_sources, run.user, response.hits)))
        text = await _found(run, step, found) if found else ""
        run.findings[step.id] = Finding(step.question, text, tuple(source.n for source in found))
        shown.summary = text or "nothing found"


async def _found(run: TurnRun, step: SubQuestion, sources: tuple[Source, ...]) -> str:
    known = [(run.findings[need].question, run.findings[need].text) for need in step.needs if run.findings[need].text]
    call = Call(
        purpose="answer",
        system=prompt.SYSTEM,
        messages=(Message("user", prompt.user(step.question, sources, known)),),
        task=OtherTask(step.question),
        max_tokens=400,
        timeout_s=40,
    )
    _, text = split_thinking(await run.models.text(call))
    return "" if text.upper().startswith(NOTHING) else canonical_markers(text, {source.n for source in sources}).text
