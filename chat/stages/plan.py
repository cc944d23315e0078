"""Which domains a question belongs to, how it reads by itself, and what is searched for: classify and plan in one call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.conf import settings

from chat.core.prompts import plan as prompt
from chat.core.prompts.plan import Plan
from chat.models import Turn
from chat.offloading import in_thread
from chat.provider import Call, DomainCard, FieldCard, Message, PlanTask
from chat.provider_error import ProviderError
from chat.turn_run import TurnRun
from corpus.core.text import fold
from corpus.models import Domain, FilterField, MetadataEntry
from corpus.models.visibility import type_of_user
from retrieval.core.filter_operands import normalise
from retrieval.core.filters import Filter, FilterError, combine
from retrieval.core.written_filters import read_written_filters

NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]{2,}")
MOST_VALUES = 20


NO_DOMAINS = "You are not a member of any domain yet, so there is nothing to search. Ask a manager to add you."


async def plan(run: TurnRun) -> Plan:
    """Choose domains and queries; `where_to` tells what follows from it."""
    with run.stage("plan", "Understanding the question") as step:
        run.cards = await in_thread(with_known_values, run.user, run.cards, run.question)
        written = read_written_filters(run.question, declared_in(run.cards))
        run.asked, run.written = written.text or run.question, written.where
        found = await _planned(run)
        _take(run, found)
        await in_thread(_note_domains, run)
        step.summary = _told(run, found)
    return found


async def plan_again(run: TurnRun) -> None:
    """Find other words to search with, from what was missing; domains, filters and the question stay."""
    with run.stage("plan", "Looking for other words") as step:
        found = await _planned(run)
        run.queries = found.queries
        run.keywords = found.keywords
        run.trace.setdefault("plans", []).append(as_plain(found))
        step.summary = ", ".join(found.queries) or "no other words"


def where_to(run: TurnRun, found: Plan) -> str:
    """Return "library", "general", or the sentence by which the question is refused."""
    if not run.cards:
        return NO_DOMAINS
    if found.route == "general" and settings.GENERAL_CHAT and run.models.has_model("general"):
        return "general"
    if found.route == "library":
        return "library"
    names = ", ".join(card.name for card in run.cards)
    return f"This question is outside the library. It can be asked about: {names}."


async def _planned(run: TurnRun) -> Plan:
    slugs = [card.slug for card in run.cards]
    fields = {field.name: field for card in run.cards for field in card.fields}
    call = Call(
        purpose="plan",
        system=prompt.system(
            [(card.slug, card.name, card.description) for card in run.cards],
            [(field.name, field.value_type, field.description) for field in fields.values()],
        ),
        messages=(Message("user", prompt.user(run.asked, summary=run.summary, earlier=run.earlier, feedback=run.feedback)),),
        task=PlanTask(run.asked, run.cards, run.earlier, run.fixed_domains, run.feedback),
        schema=prompt.schema(slugs, {name: field.value_type for name, field in fields.items()}),
        max_tokens=1_024,
        timeout_s=30,
    )
    try:
        reply = await run.models.structured(call)
    except ProviderError as error:
        if not error.retryable:
            raise
        run.notice("The question could not be planned; it is searched as it stands.", level="warning")
        return Plan("library", tuple(slugs), run.asked)
    found = prompt.read(reply.value, question=run.asked, slugs=slugs)
    return found if not run.fixed_domains else prompt.with_domains(found, slugs)


def _take(run: TurnRun, found: Plan) -> None:
    run.domains = found.domains
    run.standalone = found.standalone
    run.language = found.language
    run.queries = found.queries
    run.keywords = found.keywords
    run.sub_questions = found.sub_questions
    chosen = [card for card in run.cards if card.slug in found.domains]
    run.where = combine([clause for clause in (run.written, canonical_filter(found.filters, chosen)) if clause])
    run.trace.setdefault("plans", []).append(as_plain(found))


def declared_in(cards: Sequence[DomainCard]) -> dict[str, str]:
    """Return the declared filter fields of domains with their value types; the first definition of a name wins."""
    return {field.name: field.value_type for card in reversed(cards) for field in card.fields}


def canonical_filter(stated: object, cards: Sequence[DomainCard]) -> Filter | None:
    """Return the filter of what a plan states, as far as the domains declare the fields; None if nothing is left."""
    if not isinstance(stated, dict) or not stated:
        return None
    try:
        return normalise(stated, declared_in(cards))
    except FilterError:
        return None


def as_plain(found: Plan) -> dict[str, Any]:
    """Return a plan for the trace."""
    return {**found.__dict__, "sub_questions": [step.__dict__ for step in found.sub_questions]}


def _note_domains(run: TurnRun) -> None:
    """Write down at once which domains are searched: whoever reads the stream must be a member of them."""
    standalone = run.standalone if run.standalone != run.question else ""
    Turn.objects.filter(pk=run.turn_id).update(domains=list(run.domains), standalone_question=standalone)


def _told(run: TurnRun, found: Plan) -> str:
    names = [card.name for card in run.cards if card.slug in found.domains]
    parts = [", ".join(names) or "no domain"]
    if found.standalone != run.question:
        parts.append(f"read as: {found.standalone}")
    if run.where:
        parts.append("filtered by " + ", ".join(sorted(found.filters)))
    return "; ".join(parts)


def cards_for(user: type_of_user, slugs: Sequence[str] | None) -> tuple[DomainCard, ...]:
    """Return the domains that a user may search, with their filter fields; of `slugs` only, if given."""
    domains = Domain.objects.visible_to(user)
    if slugs is not None:
        domains = domains.filter(slug__in=slugs)
    fields: dict[int, list[FieldCard]] = {}
    for field in FilterField.objects.filter(domain__in=domains):
        fields.setdefault(field.domain_id, []).append(FieldCard(field.name, field.value_type, field.description))
    return tuple(DomainCard(d.slug, d.name, d.description, tuple(fields.get(d.pk, ()))) for d in domains)


def with_known_values(user: type_of_user, cards: Sequence[DomainCard], question: str) -> tuple[DomainCard, ...]:
    """Add to each declared field the values of the library that the question may name."""
    names = [name.removesuffix("'s").removesuffix("’s") for name in NAME.findall(question)]
    if not names or not any(field.value_type in {"string", "list"} for card in cards for field in card.fields):
        return tuple(cards)
    return tuple(
        DomainCard(
            card.slug, card.name, card.description, tuple(_with_values(user, card.slug, field, names) for field in card.fields)
        )
        for card in cards
    )


def _with_values(user: type_of_user, slug: str, field: FieldCard, names: Sequence[str]) -> FieldCard:
    if field.value_type not in {"string", "list"}:
        return field
    entries = MetadataEntry.objects.visible_to(user).filter(source_file__collection__domain__slug=slug)
    found: dict[str, None] = {}
    for name in names[:8]:
        held = entries.filter(**{f"values__{field.name}__icontains": name}).values_list(f"values__{field.name}", flat=True)
        for value in held[:50]:
            parts = value if isinstance(value, list) else [value]
            found.update(dict.fromkeys(str(part) for part in parts if fold(name) in fold(str(part))))
    return FieldCard(field.name, field.value_type, field.description, tuple(found)[:MOST_VALUES])
