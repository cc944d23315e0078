"""Which domains a question goes to, from what a classifier proposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Route = Literal["library", "general", "refuse"]


def chosen_domains(proposed: object, configured: Sequence[str]) -> tuple[str, ...]:
    """Return the proposed domains that exist, in the order proposed, none twice; empty if none does.

    >>> chosen_domains(["Z", "A", "undefined", "A"], ["A", "B"])
    ('A',)
    """
    if not isinstance(proposed, list | tuple):
        return ()
    return tuple(dict.fromkeys(domain for domain in proposed if domain in configured))


def route_of(domains: Sequence[str], *, general_chat: bool) -> Route:
    """Return where a question goes: to the library if a domain fits, else to general chat if there is one.

    >>> route_of((), general_chat=False)
    'refuse'
    """
    if domains:
        return "library"
    return "general" if general_chat else "refuse"
