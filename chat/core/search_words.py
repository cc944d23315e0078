"""What a model adds to a search: translations as further queries, keywords for the keyword stores."""

from __future__ import annotations

import re
from typing import Final

from chat.core.thinking import split_thinking

MOST_KEYWORDS: Final = 12
MOST_TRANSLATIONS: Final = 8

_SEPARATOR: Final = re.compile(r"^\s*(?:={3,}|#{3,})\s*$", re.MULTILINE)
_LABEL: Final = re.compile(r"\A\s*(?:output|translations?|result|keywords?)\s*[:：]\s*", re.IGNORECASE)
_FAILED: Final = re.compile(r"\A\s*\**\s*error\b", re.IGNORECASE)


def translations_of(original: str, reply: str) -> tuple[str, ...]:
    r"""Read translations of a query, separated by lines of === or ###; the original always comes first, nothing comes twice.

    >>> translations_of("heron", "Output:\ngarza\n===\nheron")
    ('heron', 'garza')
    """
    _, answer = split_thinking(reply)
    if _FAILED.match(answer):
        return (original,)
    parts = (" ".join(part.split()) for part in _SEPARATOR.split(_LABEL.sub("", answer, count=1)))
    found = dict.fromkeys([original, *(part for part in parts if part)])
    return tuple(found)[: MOST_TRANSLATIONS + 1]


def keywords_of(reply: str) -> tuple[str, ...]:
    """Read keywords, separated by commas or lines; nothing of a failed reply.

    >>> keywords_of("<think>x</think>eel, spawning")
    ('eel', 'spawning')
    """
    _, answer = split_thinking(reply)
    if _FAILED.match(answer):
        return ()
    parts = (part.strip(" \t.-*•\"'") for part in re.split(r"[,;\n]", _LABEL.sub("", answer, count=1)))
    return tuple(dict.fromkeys(part for part in parts if part))[:MOST_KEYWORDS]
