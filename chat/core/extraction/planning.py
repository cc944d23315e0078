"""A plan for a question without a language model: its filters by rule, and what it means where it leans on the last one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chat.core.extraction.question import content_words
from corpus.core.names import parse_name
from corpus.core.text import fold

YEAR = r"((?:1[89]|20)\d\d)"
WORKS = (
    r"(?:papers?|articles?|studies|study|works?|publications?|reports?|reviews?|theses|thesis|books?|documents?|literature|research|"
    r"results?|findings?|preprints?|published|written|appeared)"
)
BETWEEN = re.compile(rf"\b(?:between|from)\s+{YEAR}\s+(?:and|to|until|till|-|–)\s+{YEAR}\b|\b{YEAR}\s*[-–]\s*{YEAR}\b")
SINCE = re.compile(rf"\b(?:since|from)\s+{YEAR}\b(?:\s+on(?:wards?)?)?|\b{YEAR}\s+(?:or|and)\s+(?:later|newer|after)\b")
AFTER = re.compile(rf"\b(?:after|later than|newer than)\s+{YEAR}\b")
BEFORE = re.compile(rf"\b(?:before|prior to|earlier than|older than)\s+{YEAR}\b")
UNTIL = re.compile(rf"\b(?:until|till|up to)\s+{YEAR}\b|\b{YEAR}\s+(?:or|and)\s+(?:earlier|older|before)\b")
EXACT = re.compile(rf"\b(?:in|of|during)\s+{YEAR}\b|\({YEAR}\)|\bet al\.?,?\s+{YEAR}\b")
ABOUT_WORKS = re.compile(rf"\b{WORKS}\b|\bet al\b|\(\s*(?:1[89]|20)\d\d\s*\)", re.IGNORECASE)
BY = r"(?:\bby|\bfrom|\bof|\bauthors?|\bwrote|\bdid|\bdoes|\bdo|\bin|\baccording to)\s+(?:\w+\.?\s+){0,2}"
LEANING = re.compile(
    r"\A(?:and|but|or|so|also|what about|how about|why\?|how\?|which one|tell me more|more|go on|continue|compare|for example)\b"
    r"|\b(?:it|its|they|them|their|theirs|this|these|those|he|she|his|her"
    r"|the (?:first|second|third|last|former|latter|other|same)(?: one)?)\b",
    re.IGNORECASE,
)
SELF_CONTAINED_WORDS = 7


@dataclass(frozen=True)
class Field:
    """A declared filter field and the values of the library that the question might name."""

    name: str
    value_type: str
    known: tuple[str, ...] = ()


def filters_from(question: str, fields: Sequence[Field]) -> dict[str, Any]:
    """Return the constraints that a question states, in the plain form: field -> value or {operator: operand}.

    Years count only where the question speaks of works ("papers since 2015"), names only where the library knows them.

    >>> fields = [Field("year", "int"), Field("authors", "list", ("Ada Lovelace",))]
    >>> filters_from("Which papers by Lovelace appeared before 1850?", fields)
    {'year': {'$lt': 1850}, 'authors': 'Ada Lovelace'}
    """
    found: dict[str, Any] = {}
    for field in fields:
        if field.value_type in {"int", "float"} and "year" in field.name:
            constraint: object = years_in(question)
        elif field.value_type in {"list", "string"} and field.known:
            constraint = _named(question, field)
        else:
            constraint = None
        if constraint is not None:
            found[field.name] = constraint
    return found


def years_in(question: str) -> Mapping[str, int] | int | None:
    """Return the years that the works must be from, None if the question says nothing of that."""
    if not ABOUT_WORKS.search(question):
        return None
    plain = question.casefold()
    if match := BETWEEN.search(plain):
        first, last = sorted(int(year) for year in match.groups() if year)
        return {"$gte": first, "$lte": last}
    bounds: dict[str, int] = {}
    for pattern, operator in ((AFTER, "$gt"), (SINCE, "$gte"), (BEFORE, "$lt"), (UNTIL, "$lte")):
        if match := pattern.search(plain):
            bounds[operator] = int(next(year for year in match.groups() if year))
    if bounds:
        return bounds
    if match := EXACT.search(plain):
        return int(next(year for year in match.groups() if year))
    return None


def _named(question: str, field: Field) -> str | list[str] | None:
    named = [value for value in field.known if _names(question, value, is_person="author" in field.name)]
    if not named:
        return None
    return named[0] if len(named) == 1 else named


def _names(question: str, value: str, *, is_person: bool) -> bool:
    """Say whether a question names a value: a person by family name after "by", "of" or before "et al."; others in full."""
    if not is_person:
        return len(value) > 3 and re.search(rf"(?<!\w){re.escape(fold(value))}(?!\w)", fold(question)) is not None
    family = re.escape(parse_name(value).family)
    if len(family) < 3:
        return False
    named = rf"{BY}{family}\b|\b{family}(?:'s|’s|\s+et\s+al|\s+(?:and|&)\s+[A-Z]|\s+\(?(?:1[89]|20)\d\d)"
    return re.search(named, question) is not None


def leans_on_earlier(question: str) -> bool:
    """Say whether a question is unlikely to be understood without the one before it."""
    return LEANING.search(question.strip()) is not None and len(content_words(question)) <= SELF_CONTAINED_WORDS


def standalone_question(question: str, earlier: Sequence[tuple[str, str]]) -> str:
    """Return the question with the one before it, where it leans on that; else as it is.

    >>> standalone_question("And its kinetics?", [("What is the sodium channel?", "…")])
    'And its kinetics? (about: What is the sodium channel?)'
    """
    if not earlier or not leans_on_earlier(question):
        return question
    before = earlier[-1][0]
    inner = before.rsplit("(about: ", 1)
    subject = inner[1].rstrip(")") if len(inner) == 2 else before
    return f"{question} (about: {subject})"
