"""What comes from outside of the library, such as the text of a graph or a tool, beside the passages that were found."""

from __future__ import annotations

from collections.abc import Sequence


def with_outside(passages: Sequence[str], outside: Sequence[str | None]) -> tuple[str, ...]:
    """Put what came from outside before the passages, each text once; nothing for what is blank or failed (None).

    >>> with_outside(["base"], ["graph", None, "  ", "graph"])
    ('graph', 'base')
    """
    brought = dict.fromkeys(text for text in outside if text is not None and text.strip() and text not in passages)
    return (*brought, *passages)
