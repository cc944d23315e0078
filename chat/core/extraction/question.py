"""What a question asks for, found from its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from corpus.core.text import words_of

Wanted = Literal["definition", "steps", "reason", "quantity", "time", "person", "place", "any"]

_STOP_WORDS = """
    a about according after all also am an and any are article as at be because been before being between both but by can
    could did do does doing done during each etc for from further get give given had has have having he her here hers him
    his how i if in into is it its itself just know known let like list many may me might more most much must my name need
    no not of off on once one only or other our out over own paper please say says shall she should so some such tell than
    that the their them then there these they this those through to too under until up upon us use used using very want
    was way we were what when where whether which while who whom whose why will with within without would you your explain
    describe show mean means called between work works does documents document files find found there's what's i'm dont
    don't isn't
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
PATTERNS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "steps",
        re.compile(
            r"\bhow (?:do|can|should|would|could|to|must|does one)\b(?! (?:\w+ ){0,3}(?:work|differ|affect|compare))|\bsteps?\b"
        ),
    ),
    (
        "quantity",
        re.compile(
            r"\bhow (?:many|much|large|long|fast|often|high|big|old|far|small)\b|\bwhat (?:number|percentage|fraction|rate)\b"
        ),
    ),
    ("reason", re.compile(r"\bwhy\b|\bwhat causes?\b|\breasons?\b|\bhow come\b")),
    ("time", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|time|month|day)\b")),
    ("person", re.compile(r"\bwho(?:m|se)?\b|\bwhich (?:authors?|researchers?|people|person)\b")),
    ("place", re.compile(r"\bwhere\b")),
    ("definition", re.compile(r"\Awhat(?: is| are|'s)\b|\bdefin(?:e|ition)\b|\bmeaning of\b|\bstands? for\b")),
)
SUBJECT = re.compile(
    r"\A(?:what(?: is| are|'s)|define|explain|describe|(?:what is )?the (?:definition|meaning) of)\s+(?:meant by\s+)?"
    r"(?:an?\s+|the\s+)?(.{2,60}?)\s*\??\Z"
)


@dataclass(frozen=True)
class AskedFor:
    """What kind of answer a question wants, its content words (stemmed, in order), and the subject of "What is …?"."""

    wanted: Wanted
    words: tuple[str, ...]
    subject: str = ""


def read_question(question: str) -> AskedFor:
    """Read a question.

    >>> read_question("What is an ion channel?")
    AskedFor(wanted='definition', words=('ion', 'channel'), subject='ion channel')
    """
    plain = " ".join(question.casefold().split())
    wanted: Wanted = next((kind for kind, pattern in PATTERNS if pattern.search(plain)), "any")
    subject = SUBJECT.match(plain) if wanted == "definition" else None
    return AskedFor(wanted, content_words(question), subject.group(1) if subject else "")


def content_words(text: str) -> tuple[str, ...]:
    """Return the stems of the words that carry meaning, none twice."""
    return tuple(
        dict.fromkeys(stem(word) for word in words_of(text) if word not in STOP_WORDS and (len(word) > 1 or word.isdigit()))
    )


def stem(word: str) -> str:
    """Cut the endings of English words lightly, so that "channels" meets "channel" and "modelling" meets "model".

    >>> [stem(word) for word in ("channels", "modelling", "studies", "measured", "is", "species")]
    ['channel', 'model', 'study', 'measur', 'is', 'specie']
    """
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, kept in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ments", ""),
        ("ment", ""),
        ("ations", ""),
        ("ation", ""),
        ("ing", ""),
        ("ed", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= (3 if ending != "ies" else 2) and word != "species":
            return _single_end(word[: len(word) - len(ending)] + kept)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 and word != "specie" else word


def _single_end(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiosz":
        return word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word
