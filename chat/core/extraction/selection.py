"""Which sentences answer a question: the best supported, different from each other, and readable one after another."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chat.core.extraction.question import AskedFor, content_words
from chat.core.extraction.readable import Candidate, Line

# Weights and limits were chosen on 315 questions with marked answers (characters in common with the marks: F 0.48, before 0.42).
MOST_SENTENCES = 4
READ_ON = 2  # sentences after the best one that may go on its thought
GOES_ON = 0.3  # of the best score, for such a sentence
FURTHER = 0.65  # of the best score, for a sentence from elsewhere
LEAST_LIKENESS = 0.1
SAME_SOURCE = 0.06  # what a sentence of the same source as the best gains
SAME_MEANING = 0.9
SAME_WORDS = 0.6
NUMBER = re.compile(r"\d")
YEAR = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}:\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
REASON = re.compile(
    r"\b(?:because|since|due to|caused? by|owing to|so that|in order to|leads? to|results? (?:in|from)"
    r"|as a (?:result|consequence))\b"
)
STEP = re.compile(
    r"\A(?:to \w+|first|then|next|click|choose|select|open|run|go|type|press|use|set|add|create|install|enter|drag|upload|sign"
    r"|call|write|download|copy|put|make|start|pick|fill)\b|\byou (?:can|must|need|should)\b|\bcan be\b"
)
PERSON = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+ [A-Z][a-z]+")


@dataclass(frozen=True)
class Scored:
    """A sentence of source `n` with what speaks for it.

    Attributes:
        likeness: cosine similarity of meaning to the question.
        source_score: the calibrated score of its source.
        vector: position of its vector, for `alike`.
    """

    n: int
    candidate: Candidate
    likeness: float
    source_score: float = 0.0
    vector: int = 0
    score: float = 0.0


@dataclass(frozen=True)
class Extract:
    """A chosen sentence and the source it comes from."""

    n: int
    text: str
    start: int
    end: int
    item: bool = False
    lines: tuple[Line, ...] = ()


Alike = Callable[[int, int], float]


def rank(sentences: Sequence[Scored], asked: AskedFor) -> tuple[Scored, ...]:
    """Score sentences by meaning, words shared with the question, the form that was asked for, their source and their place.

    Returns:
        Best first; scores are comparable within one question only.
    """
    words = {id(sentence): set(content_words(sentence.candidate.whole)) for sentence in sentences}
    weight = word_weights([words[id(sentence)] for sentence in sentences], asked.words)
    scored = [_scored(sentence, asked, coverage(asked.words, words[id(sentence)], weight)) for sentence in sentences]
    return tuple(sorted(scored, key=lambda s: (-s.score, s.n, s.candidate.index)))


def word_weights(texts: Sequence[set[str]], asked_words: Sequence[str]) -> dict[str, float]:
    """Weigh the words of a question by how few of the texts hold them (smoothed inverse frequency)."""
    held = Counter(word for words in texts for word in words)
    return {word: math.log((len(texts) + 1.5) / (held[word] + 0.5)) for word in asked_words}


def coverage(asked_words: Sequence[str], words: set[str], weight: Mapping[str, float]) -> float:
    """Return the weighted share of the question's words that `words` holds, 0..1."""
    total = sum(weight[word] for word in asked_words)
    return sum(weight[word] for word in asked_words if word in words) / total if total > 0 else 0.0


def _scored(sentence: Scored, asked: AskedFor, shared: float) -> Scored:
    candidate = sentence.candidate
    length = len(candidate.text.split())
    score = 0.45 * min(max(sentence.likeness, -0.5), 1.1) + 0.5 * shared + sentence.source_score
    score += form_bonus(candidate, asked) + 0.02 / (1 + candidate.index)
    score -= 0.06 * candidate.dependent + 0.06 * candidate.pointer + 0.03 * (length < 7) + 0.03 * (length > 45)
    score -= 0.2 * candidate.text.endswith("?")
    return Scored(sentence.n, candidate, sentence.likeness, sentence.source_score, sentence.vector, score)


def form_bonus(candidate: Candidate, asked: AskedFor) -> float:
    """Return a bonus where the sentence has the form of the answer that the question wants."""
    plain = candidate.text.casefold()
    match asked.wanted:
        case "definition":
            return 0.14 if asked.subject and _defines(plain, asked.subject) else 0.0
        case "steps":
            return 0.1 if candidate.lines else 0.06 if STEP.search(plain) else 0.0
        case "quantity":
            return 0.06 if NUMBER.search(plain) else 0.0
        case "time":
            return 0.06 if YEAR.search(plain) else 0.0
        case "reason":
            return 0.06 if REASON.search(plain) else 0.0
        case "person":
            return 0.04 if PERSON.search(candidate.text) else 0.0
        case _:
            return 0.0


def _defines(plain: str, subject: str) -> bool:
    """Say whether a sentence begins "An ion channel is …" for the subject "ion channel"."""
    head = plain[: len(subject) + 60]
    place = head.find(subject.rstrip("s"))
    if place < 0 or place > 25:
        return False
    after = head[place + len(subject.rstrip("s")) :]
    return (
        re.match(r"s?(?:\s*\([^)]{1,30}\))?,?\s+(?:is|are|was|were|means?|refers? to|denotes?|describes?|stands? for)\b", after)
        is not None
    )


def choose(
    ranked: Sequence[Scored], *, alike: Alike, everything: Mapping[int, Sequence[Candidate]], most: int = MOST_SENTENCES
) -> tuple[Extract, ...]:
    """Choose the sentences of an answer.

    Args:
        ranked: best first.
        alike: cosine similarity of two vectors by position.
        everything: the readable sentences of each source, for the one that a dependent sentence leans on.
        most: how many sentences at most.

    Returns:
        In reading order: the source of the best sentence first, within a source in its own order.
    """
    if not ranked:
        return ()
    best = ranked[0]
    chosen = [*_with_its_support(best, everything), *_what_goes_on(best, ranked)]
    for sentence in ranked[1:]:
        if len(chosen) >= most:
            break
        if sentence.candidate.dependent or sentence.likeness < LEAST_LIKENESS or _worth(sentence, best) < FURTHER * best.score:
            continue
        if not any(_repeats(sentence, other, alike) for other in chosen):
            chosen.append(sentence)
    return _in_reading_order(chosen)


def _what_goes_on(best: Scored, ranked: Sequence[Scored]) -> list[Scored]:
    """Return the sentences right after the best one that go on with its thought."""
    following = {s.candidate.index: s for s in ranked if s.n == best.n and not s.candidate.pointer}
    found: list[Scored] = []
    for index in range(best.candidate.index + 1, best.candidate.index + 1 + READ_ON):
        sentence = following.get(index)
        if best.candidate.lines or sentence is None or sentence.score < GOES_ON * best.score:
            break
        found.append(sentence)
    return found


def _worth(sentence: Scored, best: Scored) -> float:
    return sentence.score + (SAME_SOURCE if sentence.n == best.n else 0.0)


def _repeats(one: Scored, other: Scored, alike: Alike) -> bool:
    if one.n == other.n and one.candidate.index == other.candidate.index:
        return True
    if alike(one.vector, other.vector) > SAME_MEANING:
        return True
    mine, theirs = set(content_words(one.candidate.text)), set(content_words(other.candidate.text))
    return len(mine & theirs) > SAME_WORDS * max(1, min(len(mine), len(theirs)))


def _with_its_support(sentence: Scored, everything: Mapping[int, Sequence[Candidate]]) -> list[Scored]:
    """Return a sentence with the one before it, where it leans on that."""
    before = _before(sentence, everything)
    if not sentence.candidate.dependent or before is None:
        return [sentence]
    support = Scored(sentence.n, before, sentence.likeness, sentence.source_score, sentence.vector, sentence.score)
    return [support, sentence]


def _before(sentence: Scored, everything: Mapping[int, Sequence[Candidate]]) -> Candidate | None:
    wanted = sentence.candidate.index - 1
    return next((candidate for candidate in everything[sentence.n] if candidate.index == wanted), None)


def _in_reading_order(chosen: Sequence[Scored]) -> tuple[Extract, ...]:
    order = {n: place for place, n in enumerate(dict.fromkeys(sentence.n for sentence in chosen))}
    placed = sorted(chosen, key=lambda sentence: (order[sentence.n], sentence.candidate.start))
    return tuple(Extract(s.n, c.text, c.start, c.end, c.item, c.lines) for s in placed for c in (s.candidate,))


def as_answer(extracts: Sequence[Extract]) -> tuple[str, ...]:
    r"""Return the answer in pieces: sentences with their markers; those of a source make a paragraph, list items a list.

    >>> as_answer([Extract(1, "It fires.", 0, 9), Extract(1, "It rests.", 10, 19), Extract(2, "Others differ.", 0, 14)])
    ('It fires [1].', ' It rests [1].', '\n\nOthers differ [2].')
    """
    pieces = []
    previous: Extract | None = None
    for extract in extracts:
        pieces.append(_gap(previous, extract) + ("- " if extract.item else "") + with_marker(extract.text, extract.n))
        pieces += [
            f"{'' if place else chr(10)}\n{line.numbered or '-'} {with_marker(line.text, extract.n)}"
            for place, line in enumerate(extract.lines)
        ]
        previous = extract
    return tuple(pieces)


def _gap(previous: Extract | None, extract: Extract) -> str:
    if previous is None:
        return ""
    if extract.item and previous.item and previous.n == extract.n:
        return "\n"
    same = previous.n == extract.n and extract.item == previous.item and not previous.lines
    return " " if same else "\n\n"


def with_marker(sentence: str, n: int) -> str:
    """Put a marker before the sentence's closing mark.

    >>> with_marker('He said "no."', 3), with_marker("It holds!", 1)
    ('He said "no." [3]', 'It holds [1]!')
    """
    bare = sentence.rstrip(".!?…。！？:")
    if bare == sentence or not bare:
        return f"{sentence} [{n}]"
    return f"{bare} [{n}]{sentence[len(bare) :]}"
