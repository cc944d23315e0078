"""An answer on its way to the reader: notes that say what it rests on, and texts for when there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from chat.core.thinking import split_thinking
from chat.core.verdict import Outcome

RETRY: Final = "No answer came. Please ask again."
CLARIFY: Final = (
    "The library does not say enough for a clear answer. Could you put the question another way, or add what you know?"
)
NO_MATERIAL: Final = "(no reference material)"
BEST_EFFORT: Final = "> **Note:** the sources cover this question only in part, so the answer may be incomplete."
NOT_FROM_LIBRARY: Final = (
    "> **Not from the library:** the sources do not answer this; what follows is general knowledge of the model."
)
MOST_TOOL_CHARACTERS: Final = 2_500


def delivered(
    answer: str, outcome: Outcome, *, domains: Sequence[str] = (), fallback_warning: str = "", references: Iterable[str] = ()
) -> str:
    """Return what the reader gets: the answer without reasoning, marked for what it rests on.

    Args:
        answer: the last draft.
        outcome: the verdict on it.
        domains: that were searched; the warning of a fall-back only makes sense if there were some.
        fallback_warning: of the settings, in place of the usual one.
        references: works to list at the end; each once.
    """
    if outcome == "clarify":
        return CLARIFY
    _, plain = split_thinking(answer)
    if not plain:
        return RETRY
    told = with_references(plain, references)
    if outcome == "fallback" and domains:
        return f"{fallback_warning or NOT_FROM_LIBRARY}\n\n{told}"
    return told if outcome in {"continue", "fallback"} else f"{BEST_EFFORT}\n\n{told}"


def with_references(answer: str, references: Iterable[str]) -> str:
    r"""Put a list of works after an answer, in the order given, none twice; without works the answer stays as it is.

    >>> with_references("A.", ["R1", " R1 "])
    'A.\n\nReferences:\n\n- R1\n'
    """
    named = dict.fromkeys(name for reference in references if (name := reference.strip()))
    if not named:
        return answer
    return f"{answer}\n\nReferences:\n\n" + "".join(f"- {name}\n" for name in named)


def capped(text: str, most: int = MOST_TOOL_CHARACTERS) -> str:
    """Cut what a tool returned to what a prompt may hold of it, at a word where there is one near.

    >>> capped("one two three", 9)
    'one …'
    """
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    space = cut.rfind(" ", max(0, len(cut) - 40))
    return f"{cut[:space] if space > 0 else cut} …"
