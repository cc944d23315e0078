"""Where sentences begin and end, in a source and in an answer. Linear in the length of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ABBREVIATIONS = """
    al approx art ca cf ch chap col cols corp dept dr ed eds e.g eq eqs et etc ex exp ext fig figs i.e inc
    inst ltd max min mr mrs ms mt nat no nos nr op p pp pr prof ref refs resp sec sect ser st
    suppl tab temp univ vol vols vs viz yr
"""
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
NOT_BEFORE_NAMES = frozenset(["et", "ex", "max", "min", "no", "st", "art", "al", "etc", "inc", "ltd", "corp", "temp", "p"])
MARKERS = r"(?:[ \t]{0,3}\[\d{1,4}(?:[ \t]?[,;–-][ \t]?\d{1,4}){0,12}\])*"
END = re.compile(rf"[.!?…]+[\"'”’»)\]]{{0,4}}{MARKERS}(?=\s|$)|[。！？]+[」』”’）\"]{{0,4}}{MARKERS}")
FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)")
BULLET = re.compile(r"(?:[-*•◦▪‣·–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+")
SENTENCE_END = re.compile(r"[.!?…:。！？][\"'”’»)\]]{0,4}\Z")
_OPEN_WORDS = """
    a an and are as at be by can for from has have in into is its of on or our such than that the their these this to using
    was with
"""
OPEN_WORDS = frozenset(_OPEN_WORDS.split())
WORD_BEFORE = re.compile(r"[^\s(\[“\"'/]{1,40}\Z")


@dataclass(frozen=True)
class Sentence:
    """`text[start:end]`, without the white space around it; `is_code` for the lines of a fenced block, fences included."""

    start: int
    end: int
    text: str
    is_code: bool = False


def sentences(text: str, *, joins_lines: bool = False) -> tuple[Sentence, ...]:
    """Split a text into sentences; a line break ends one, and markers such as [1] belong to the sentence before them.

    Args:
        text: of an answer or a source.
        joins_lines: read on over a line break that clearly stands within a sentence, as converters leave them.

    >>> [s.text for s in sentences("It holds (see Fig. 2 of Smith et al. 2010). [1] Dr. J. Doe found 3.5 mV! Why?")]
    ['It holds (see Fig. 2 of Smith et al. 2010). [1]', 'Dr. J. Doe found 3.5 mV!', 'Why?']
    """
    found: list[Sentence] = []
    blocks = _blocks(text)
    for start, end, is_code in _joined(text, list(blocks)) if joins_lines else blocks:
        if is_code:
            found.append(Sentence(start, end, text[start:end], is_code=True))
        else:
            found.extend(_in_line(text, start, end))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield lines, and fenced code as one block."""
    position, fence_start = 0, -1
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        if FENCE.match(line):
            if fence_start < 0:
                fence_start = position
            else:
                yield fence_start, position + len(line.rstrip()), True
                fence_start = -1
        elif fence_start < 0:
            yield position, end, False
        position = end
    if fence_start >= 0:
        yield fence_start, len(text.rstrip()), True


def _joined(text: str, blocks: list[tuple[int, int, bool]]) -> Iterator[tuple[int, int, bool]]:
    """Join lines that go on in the next line: where one has begun to be joined, it is till a sentence ends."""
    held: tuple[int, int] | None = None
    in_run = False
    for start, end, is_code in blocks:
        line = text[start:end].strip()
        if held is not None and not is_code and _goes_on(text[held[0] : held[1]].strip(), line, in_run=in_run):
            held, in_run = (held[0], end), True
            continue
        if held is not None:
            yield *held, False
        held, in_run = (None if is_code else (start, end)), False
        if is_code:
            yield start, end, True
    if held is not None:
        yield *held, False


def _goes_on(before: str, line: str, *, in_run: bool) -> bool:
    if not before or not line or BULLET.match(line) or SENTENCE_END.search(before):
        return False
    if line[0].islower() or line[0] in ",.;:)%”’":
        return True
    last = before.rsplit(maxsplit=1)[-1].strip('("“‘').lower()
    return last in OPEN_WORDS or before.endswith((",", "(", "-", "–", "/")) or (in_run and not line.startswith("#"))


def _in_line(text: str, start: int, end: int) -> Iterator[Sentence]:
    begin = start
    for match in END.finditer(text, start, end):
        if _ends_sentence(text, begin, match, end):
            yield from _trimmed(text, begin, match.end())
            begin = match.end()
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    part = text[start:end]
    bare = part.strip()
    if bare:
        begin = start + len(part) - len(part.lstrip())
        yield Sentence(begin, begin + len(bare), bare)


def _ends_sentence(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    if text[match.start()] in "。！？":
        return True
    following = text[match.end() : min(match.end() + 40, end)].lstrip()
    if not following:
        return True
    first = following[0]
    if first.islower() or first in ",;:)%":
        return False
    if match.group().startswith(".") and not match.group().startswith(".."):
        return not _is_abbreviation(text[max(begin, match.start() - 41) : match.start()], first)
    return True


def _is_abbreviation(before: str, following: str) -> bool:
    """Say whether the dot after `before` shortens a word, or ends an initial or the number of a list item."""
    match = WORD_BEFORE.search(before)
    if match is None:
        return False
    word = match.group()
    if len(word) == 1 and word.isalpha() and word.isupper():
        return True
    if word.isdigit():
        return not before[: match.start()].strip()
    lowered = word.lower()
    if lowered not in ABBREVIATIONS or (word == lowered and before[: match.start()].rstrip()[-1:].isdigit()):
        return following.isdigit() and lowered in ABBREVIATIONS
    return following.isdigit() or following in "([" or lowered not in NOT_BEFORE_NAMES
