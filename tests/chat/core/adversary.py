"""Makes true and false citations from any passages: stitched, changed, flipped, swapped, invented, of the wrong source."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from chat.core.sentences import sentences

Kind = Literal[
    "true", "typography", "quoted", "clause", "stitched", "stitched quote", "number", "negation", "name", "tail", "source"
]  # fmt: skip
TRUE: tuple[Kind, ...] = ("true", "typography", "quoted", "clause")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z]{3,}\b")
VERB = re.compile(r"\b(is|are|was|were|did|can|may|could|should|has|have)\b(?! not)")


@dataclass(frozen=True)
class Claim:
    """A sentence that cites a passage, and whether it may."""

    kind: Kind
    text: str
    source: str

    @property
    def is_true(self) -> bool:
        return self.kind in TRUE


def claims(passages: Sequence[str], *, seed: int = 7) -> Iterator[Claim]:
    """Make claims of every kind from passages of prose."""
    chance = random.Random(seed)
    names = sorted({name for passage in passages for name in NAME.findall(passage)})
    for place, passage in enumerate(passages):
        told = [s.text for s in sentences(passage) if 8 <= len(s.text.split()) <= 60 and s.text.endswith(".")]
        if len(told) < 4:
            continue
        other = passages[(place + 1) % len(passages)]
        sentence = chance.choice(told)
        yield from _true(sentence, passage)
        yield from _stitched(told, passage, chance)
        yield from _changed(told, passage, names, chance)
        tail = chance.choice([s.text for s in sentences(other) if len(s.text.split()) >= 8] or [sentence]).split()[:8]
        yield Claim("tail", f"{sentence.rstrip('.')}, and {' '.join(tail).rstrip('.,')}.", passage)
        yield Claim("source", sentence, other)


def _true(sentence: str, passage: str) -> Iterator[Claim]:
    yield Claim("true", sentence, passage)
    yield Claim("quoted", f'The authors write: "{sentence.rstrip(".")}".', passage)
    broken = passage.replace(" - ", " – ").replace("fi", "ﬁ").replace("'", "’")
    words = broken.split(" ")
    yield Claim("typography", sentence, "  ".join(words[:3]) + "\n" + " ".join(words[3:]))
    clause = max(re.split(r"[,;:](?=\s)", sentence.rstrip(".")), key=len).strip()
    if len(clause.split()) >= 6 and "not" not in sentence.split() and "no" not in sentence.lower().split():
        yield Claim("clause", clause[0].upper() + clause[1:] + ".", passage)


def _stitched(told: list[str], passage: str, chance: random.Random) -> Iterator[Claim]:
    first, second = sorted(chance.sample(range(len(told)), 2))
    one, other = told[first].rstrip(".").split(), told[second].rstrip(".").split()
    joined = " ".join(one[: max(5, len(one) // 2)] + other[len(other) // 2 :])
    if joined not in passage:
        yield Claim("stitched", f"{joined}.", passage)
        yield Claim("stitched quote", f'It says "{joined}".', passage)


def _changed(told: list[str], passage: str, names: list[str], chance: random.Random) -> Iterator[Claim]:
    for sentence in told:
        numbers = list(NUMBER.finditer(sentence))
        if numbers:
            found = chance.choice(numbers)
            near = [number for number in NUMBER.findall(passage) if number not in sentence]
            other = chance.choice(near) if near and chance.random() < 0.5 else f"{float(found.group()) * 2 + 1:g}"
            yield Claim("number", sentence[: found.start()] + other + sentence[found.end() :], passage)
            break
    for sentence in told:
        verb, flipped = VERB.search(sentence), re.sub(r"\b(not|no) ", "", sentence, count=1)
        if flipped != sentence:
            yield Claim("negation", flipped[0].upper() + flipped[1:], passage)
            break
        if verb:
            yield Claim("negation", f"{sentence[: verb.end()]} not{sentence[verb.end() :]}", passage)
            break
    for sentence in told:
        found = NAME.search(sentence)
        if found:
            near = [name for name in NAME.findall(passage) if name.lower() not in sentence.lower()]
            far = [name for name in names if name.lower() not in passage.lower()]
            other = chance.choice(near if near and chance.random() < 0.5 else far)
            yield Claim("name", sentence[: found.start()] + other + sentence[found.end() :], passage)
            break
