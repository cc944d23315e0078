"""Find the title among the lines of a first page: the run of lines that reads most like one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.core.extraction.traits import OPEN_WORDS, Traits

LONGEST_TITLE = 8
_ENDS_OPEN = re.compile(rf"(?:{OPEN_WORDS}|\b(?:and|et|und)|[-–,:(])$", re.IGNORECASE)


def best_title(traits: Sequence[Traits]) -> tuple[int, int, float] | None:
    """Return where the likeliest title begins and ends (the line after its last), and its score; None when no line can be one."""
    best: tuple[float, int, int] | None = None
    for start in range(len(traits)):
        total = 0.0
        for end in range(start + 1, min(start + LONGEST_TITLE, len(traits)) + 1):
            value = _value(traits[end - 1], goes_on=end - 1 > start)
            if value <= -2.0 or not _same_size(traits[start], traits[end - 1]):
                break
            total += value
            score = _block_score(traits, start, end, total)
            if best is None or score > best[0]:
                best = (score, start, end)
    return (best[1], best[2], best[0]) if best and best[0] > 0 else None


def join_title(lines: Sequence[str]) -> str:
    """Put the lines of a title together; a hyphen at a line end stays where it makes a word of two."""
    title = ""
    for line in lines:
        text = line.strip()
        glue = "" if title.endswith(("-", "‐")) else " "
        title = f"{title}{glue}{text}" if title else text
    return re.sub(r"\s+", " ", re.sub(r"[\s*†‡§¶∗]+$|\s+\d$", "", title)).strip()


def _same_size(first: Traits, other: Traits) -> bool:
    return not first.size or abs(other.size - first.size) <= 0.12 * first.size


def _value(trait: Traits, *, goes_on: bool) -> float:
    """How much a line reads like part of a title; negative where it can't be one. Large print goes on whatever it holds."""
    words = trait.text.split()
    if goes_on and trait.is_large and words:
        return 0.3
    if trait.junk or trait.body or not words:
        return -3.0
    value = min(len(words), 10) / 10
    value -= 1.5 * trait.place * (trait.place > 0.3)
    value -= 1.5 * (trait.names >= 0.6) + 0.6 * (0.4 <= trait.names < 0.6)
    value -= 0.8 * (trait.text.endswith(".") and len(words) > 8)
    value -= 0.4 * (len([word for word in words if word[0].isalpha()]) < 2)
    return value + 1.5 * max(0.0, min(trait.size - 1.0, 1.0))


def _block_score(traits: Sequence[Traits], start: int, end: int, total: float) -> float:
    """How much a run of lines reads like the whole title: what it is, where it stands, how it begins and ends, what follows."""
    before = min(0.04 * start, 0.4 if traits[start].is_large else 3.0) + 1.2 * (
        not traits[start].is_large and any(trait.body for trait in traits[:start])
    )
    return min(total, 1.8) - before - _odd_length(traits[start:end]) - _cut_off(traits, start, end) + _after(traits, end)


def _odd_length(block: Sequence[Traits]) -> float:
    words = [len(trait.text.split()) for trait in block]
    odd = 0.6 * (sum(words) < 3) + 1.0 * (sum(words) > 30)
    odd += 1.0 * (len(block) > 3 and sum(words) < 3 * len(block))
    return odd + 0.3 * (len(block) > 1 and words[0] <= 2 and words[1] > 4)


def _cut_off(traits: Sequence[Traits], start: int, end: int) -> float:
    """A title neither begins nor ends in the middle of a sentence."""
    cut = 1.2 * (_ENDS_OPEN.search(traits[end - 1].text) is not None)
    cut += 1.0 * bool(start and not traits[start - 1].junk and _ENDS_OPEN.search(traits[start - 1].text))
    cut += 0.8 * traits[start].text.lstrip("“\"'([¿")[:1].islower()
    if end < len(traits):
        following = traits[end]
        cut += 0.8 * (following.text[:1].islower() and not following.is_authors and following.place < 0.3)
    return cut


def _after(traits: Sequence[Traits], end: int) -> float:
    """What follows a title: authors at once are the best sign; the abstract or nothing is a weak one."""
    for distance, trait in enumerate(traits[end : end + 3]):
        if trait.is_authors:
            return 2.0 - 0.4 * distance
        if trait.body:
            return 0.3 - 0.1 * distance
        if not trait.junk and distance == 0 and trait.place > 0.5:
            return 0.2
    return 0.0
