"""What earlier messages and questions look like before a model sees them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from corpus.core.text import normalize_text

_SPEAKER: Final = re.compile(r"\A\s*(?:user|question|human)\s*[:：]\s*", re.IGNORECASE)
_STALE: Final = re.compile(r"##\d{1,6}\$\$")
_FAILED: Final = re.compile(r"\A\s*\**\s*error\b", re.IGNORECASE)
_DAYS: Final = {
    "yesterday": -1, "today": 0, "tomorrow": 1, "gestern": -1, "heute": 0, "morgen": 1, "hier": -1, "aujourd'hui": 0,
    "demain": 1, "ayer": -1, "hoy": 0, "mañana": 1, "ieri": -1, "oggi": 0, "domani": 1,
}  # fmt: skip
_DAYS_OF_LANGUAGE: Final = {
    "en": ("yesterday", "today", "tomorrow"),
    "de": ("gestern", "heute", "morgen"),
    "fr": ("hier", "aujourd'hui", "demain"),
    "es": ("ayer", "hoy", "mañana"),
    "it": ("ieri", "oggi", "domani"),
}
_DAY_WORD: Final = re.compile(r"(?<!\w)[^\W\d_]+(?:'[^\W\d_]+)?(?!\w)")


def without_speaker(text: str) -> str:
    """Remove a speaker's label that a model put before a question; it ends with a colon.

    >>> without_speaker("user: what is X"), without_speaker("username report")
    ('what is X', 'username report')
    """
    return _SPEAKER.sub("", text, count=1)


def without_stale_markers(text: str) -> str:
    """Remove markers of another system's citation style from an earlier message.

    >>> without_stale_markers("hello ##3$$ world")
    'hello  world'
    """
    return _STALE.sub("", text)


def with_absolute_dates(question: str, *, today: date, language: str = "en") -> str:
    """Put the date after each word that means a day relative to today, so that the question reads alike tomorrow.

    >>> with_absolute_dates("and yesterday?", today=date(2025, 3, 2))
    'and yesterday (2025-03-01)?'
    """
    words = _DAYS_OF_LANGUAGE.get(language, _DAYS_OF_LANGUAGE["en"])

    def dated(found: re.Match[str]) -> str:
        word = found.group().casefold().replace("’", "'")
        return f"{found.group()} ({today + timedelta(days=_DAYS[word])})" if word in words else found.group()

    return _DAY_WORD.sub(dated, question)


@dataclass(frozen=True)
class Standalone:
    """The question that is searched and answered; `failed` if a model should have made it and did not."""

    text: str
    failed: bool = False


def standalone_of(question: str, reply: str | None) -> Standalone:
    """Return what a model made of a follow-up; the question itself if none was asked, or nothing usable came.

    >>> standalone_of("and its kinetics?", "What are the kinetics of Cav3.1?").text
    'What are the kinetics of Cav3.1?'
    >>> standalone_of("last", "**ERROR** 500")
    Standalone(text='last', failed=True)
    """
    if reply is None:
        return Standalone(question)
    plain = " ".join(without_speaker(reply).split())
    if not plain or _FAILED.match(plain):
        return Standalone(question, failed=True)
    return Standalone(plain[:2_000])


def is_same_question(one: str, other: str) -> bool:
    """Tell whether an answer to one question may be given again to another: only if they read the same.

    >>> is_same_question("Capital of France?", "capital of  France"), is_same_question("legal population", "estimated population")
    (True, False)
    """
    return _plain(one) == _plain(other)


def _plain(question: str) -> str:
    return " ".join(normalize_text(question).casefold().rstrip(" ?!.").split())
