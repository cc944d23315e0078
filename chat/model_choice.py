"""Which provider and model does which job: by session, team or site; and what a call costs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Q

from chat.models import ModelAssignment
from chat.provider import Call, Message, OtherTask, Provider, Purpose, Spent, Text
from chat.provider_error import ProviderError
from corpus.backend import from_settings

ROLES: dict[Purpose, str] = {
    "guard": "guard",
    "plan": "classify",
    "answer": "chat",
    "general": "chat",
    "evaluate": "evaluate",
    "summarise": "summarise",
}


@dataclass(frozen=True)
class Assignment:
    """The provider and models of a role."""

    provider: str
    model: str = ""
    fallback_model: str = ""


def price_of(model: str, spent: Spent) -> float | None:
    """Return the price of a call in US dollars by MODEL_PRICES (per million tokens: in, out, cached), None if it isn't listed."""
    prices: tuple[float, float, float] | None = settings.MODEL_PRICES.get(model)
    if prices is None:
        return None
    price_in, price_out, price_cached = prices
    fresh = max(0, spent.tokens_in - spent.tokens_cached)
    price: float = (fresh * price_in + spent.tokens_out * price_out + spent.tokens_cached * price_cached) / 1e6
    return float(round(price, 6))


async def try_model(provider: str, model: str) -> tuple[bool, str]:
    """Ask a model for one word; return whether it answered, and a sentence for people."""
    service: Provider = from_settings("PROVIDERS", provider)
    if not service.needs_model:
        return True, "it needs no model and works."
    call = Call(
        purpose="general",
        system="Reply with the single word: ready",
        messages=(Message("user", "Are you ready?"),),
        task=OtherTask(),
        model=model or service.default_model,
        max_tokens=200,
        timeout_s=30,
    )
    began = time.monotonic()
    try:
        said = "".join([piece.text async for piece in service.stream(call) if isinstance(piece, Text)])
    except ProviderError as error:
        return False, f"{error.message} {error.advice} ({error})"
    return True, f"it answered “{said.strip()[:60]}” in {time.monotonic() - began:.1f} s."


def assignments_for(domain_ids: list[int], chosen: dict[str, str]) -> dict[str, Assignment]:
    """Return who does which role: the session's choice, else the domain's (of one domain), else the site's.

    Args:
        domain_ids: the domains of the session; a domain's assignment counts only if it is the only one.
        chosen: role -> "provider:model" of the session; one that is not allowed is passed over.
    """
    found: dict[str, Assignment] = {}
    wanted = Q(domain_id__isnull=True) | Q(domain_id__in=domain_ids if len(domain_ids) == 1 else ())
    for row in ModelAssignment.objects.filter(wanted).order_by(F("domain_id").asc(nulls_first=True)):
        if row.provider in settings.PROVIDERS:
            found[row.role] = Assignment(row.provider, row.model, row.fallback_model)
    for role, choice in chosen.items():
        provider, _, model = choice.partition(":")
        if choice in allowed_choices() and role in ModelAssignment.Role.values:
            found[role] = Assignment(provider, model)
    return found


def allowed_choices() -> tuple[str, ...]:
    """Return the "provider:model" choices that a session may make: MODELS_ALLOWED of the settings."""
    return tuple(choice for choice in settings.MODELS_ALLOWED if choice.partition(":")[0] in settings.PROVIDERS)
