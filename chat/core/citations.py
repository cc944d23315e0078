"""Markers in an answer: read in every spelling that models use, brought to [n], unknown ones taken out, code left alone."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from chat.core.sentences import BULLET, sentences

CODE = re.compile(r"(`{1,3})(?:(?!\1)[^\n])+?\1")
FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)[^\n]*\n.*?(?:^[ \t]{0,3}\1[^\n]*(?:\n|\Z)|\Z)", re.DOTALL | re.MULTILINE)
ONE = r"(?:(?:ID|ref|source|src|citation|cite|#|\^)\s{0,2}[:.]?\s{0,2})?\d{1,4}"
LIST = rf"{ONE}(?:\s{{0,2}}(?:[,;&–-]|and)\s{{0,2}}{ONE}){{0,15}}"
BRACKETED = re.compile(
    rf"\[\s{{0,2}}({LIST})\s{{0,2}}\](?:\(https?://[^\s()]{{1,300}}\))?|【\s{{0,2}}({LIST})(?:†[^】\n]{{0,60}})?\s{{0,2}}】"
    rf"|\(\s{{0,2}}((?:ID|ref|source|src|citation)\s{{0,2}}[:.]?\s{{0,2}}\d{{1,4}}(?:\s{{0,2}}[,;]\s{{0,2}}{ONE}){{0,15}})\s{{0,2}}\)",
    re.IGNORECASE,
)
ROUND = re.compile(r"(?<=\w)\s?\((\d{1,3}(?:\s?,\s?\d{1,3}){0,5})\)(?=\s?[.!?。]|\s*$)", re.MULTILINE)
CANONICAL = re.compile(r"\[(\d{1,4})\]")
NUMBER = re.compile(r"(\d{1,4})(?:\s{0,2}[–-]\s{0,2}(\d{1,4}))?")
LONGEST_RANGE = 12
HELD_BACK = 60
GONE, FIRST = "\x00", "\x01"


@dataclass(frozen=True)
class CitedSentence:
    """A sentence of an answer: `text[start:end]`, the same without markers, and the numbers that it names, in order.

    Attributes:
        position: from 0, counted over the sentences that are not code.
    """

    position: int
    start: int
    end: int
    bare: str
    markers: tuple[int, ...]


@dataclass(frozen=True)
class Marked:
    """A text with markers in canonical form, and the unknown numbers that were taken out.

    Attributes:
        in_brackets: whether a known marker stood in brackets of any kind but round ones, here or before.
    """

    text: str
    unknown: tuple[int, ...] = ()
    in_brackets: bool = False


def canonical_markers(text: str, known: Collection[int], *, in_brackets: bool = False) -> Marked:
    """Bring all markers to the form [n] and take out those that name no source.

    Numbers in round brackets count as markers until the first known marker in other brackets: who writes those means by round
    ones something else. The rule looks back only, so a stream is read as the whole text is.

    Args:
        text: an answer, or the next piece of one. Code in it is left alone.
        known: the numbers of the sources.
        in_brackets: whether such a marker stood before the text.

    >>> canonical_markers("It fires (ID: 2). So 【1】 and [1, 9]; `x[3]`.", {1, 2}).text
    'It fires [2]. So [1] and [1]; `x[3]`.'
    """
    reading = _Reading(known, in_brackets=in_brackets)
    parts, position = [], 0
    for start, end in code_spans(text):
        parts += [reading.canonical(text[position:start]), text[start:end]]
        position = end
    parts.append(reading.canonical(text[position:]))
    return Marked("".join(parts), tuple(dict.fromkeys(reading.unknown)), reading.in_brackets)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return where fenced blocks and code spans stand, in order."""
    fences = [match.span() for match in FENCE.finditer(text)]
    spans, position = [], 0
    for start, end in [*fences, (len(text), len(text))]:
        spans += [match.span() for match in CODE.finditer(text, position, start)]
        if start < end:
            spans.append((start, end))
        position = end
    return spans


class _Reading:
    """Reads the parts of an answer that are no code, in order."""

    def __init__(self, known: Collection[int], *, in_brackets: bool) -> None:
        self._known = known
        self.in_brackets = in_brackets
        self.unknown: list[int] = []

    def canonical(self, text: str) -> str:
        """Return a part in canonical form; FIRST stands for the place from which round brackets count no longer."""
        all_round = not self.in_brackets
        text = re.sub(rf"[ \t]?{GONE}", "", BRACKETED.sub(self._square, text))
        if all_round:
            limit = place if (place := text.find(FIRST)) >= 0 else len(text)
            text = ROUND.sub(lambda match: self._round(match) if match.start() < limit else match.group(), text)
        return text.replace(FIRST, "")

    def _square(self, match: re.Match[str]) -> str:
        numbers = numbers_in(next(group for group in match.groups() if group))
        kept = [n for n in numbers if n in self._known]
        self.unknown.extend(n for n in numbers if n not in self._known)
        if not kept:
            return GONE
        first = "" if self.in_brackets else FIRST
        self.in_brackets = True
        return first + "".join(f"[{n}]" for n in kept)

    def _round(self, match: re.Match[str]) -> str:
        numbers = numbers_in(match.group(1))
        return " " + "".join(f"[{n}]" for n in numbers) if all(n in self._known for n in numbers) else match.group()


def numbers_in(inner: str) -> list[int]:
    """Return the numbers of a marker's inside; a short range is spelled out.

    >>> numbers_in("ID:1, 3-5"), numbers_in("٣")
    ([1, 3, 4, 5], [3])
    """
    found: list[int] = []
    for match in NUMBER.finditer(inner):
        first, last = int(match.group(1)), int(match.group(2) or match.group(1))
        found.extend(range(first, last + 1) if first <= last <= first + LONGEST_RANGE else [first, last])
    return list(dict.fromkeys(found))


def cited_sentences(text: str) -> tuple[CitedSentence, ...]:
    """Return the sentences of an answer (markers in canonical form) with the numbers that each names.

    >>> [(s.bare, s.markers) for s in cited_sentences("It fires [2][1]. It rests.")]
    [('It fires.', (2, 1)), ('It rests.', ())]
    """
    plain = [sentence for sentence in sentences(text) if not sentence.is_code]
    return tuple(
        CitedSentence(
            position=position,
            start=sentence.start,
            end=sentence.end,
            bare=without_markers(sentence.text),
            markers=tuple(dict.fromkeys(int(n) for n in CANONICAL.findall(CODE.sub("", sentence.text)))),
        )
        for position, sentence in enumerate(plain)
    )


def without_markers(text: str) -> str:
    """Return a sentence without its markers, the white space before them, and the mark of a list item; code is left alone.

    >>> without_markers("Use `x[1]` here [2].")
    'Use `x[1]` here.'
    """
    parts, position = [], 0
    for start, end in [*code_spans(text), (len(text), len(text))]:
        parts += [re.sub(r"[ \t]*\[\d{1,4}\]", "", text[position:start]), text[start:end]]
        position = end
    bare = "".join(parts).strip()
    return bare[bullet.end() :] if (bullet := BULLET.match(bare)) else bare


class MarkerStream:
    """Brings markers to canonical form while an answer streams in: what may still become part of one is held back."""

    def __init__(self, known: Collection[int]) -> None:
        self._known = known
        self._held = ""
        self._in_fence = False
        self._in_brackets = False
        self.unknown: list[int] = []

    def feed(self, text: str) -> str:
        """Take a piece and return what can be shown."""
        self._held += text
        shown = []
        while "\n" in self._held:
            line, self._held = self._held.split("\n", 1)
            shown.append(self._done(line) + "\n")
        safe = self._safe_length()
        if safe:
            shown.append(self._done(self._held[:safe], whole_line=False))
            self._held = self._held[safe:]
        return "".join(shown)

    def close(self) -> str:
        """Return what was held back."""
        rest, self._held = self._held, ""
        return self._done(rest) if rest else ""

    def _done(self, text: str, *, whole_line: bool = True) -> str:
        if whole_line and text.lstrip().startswith(("```", "~~~")):
            self._in_fence = not self._in_fence
            return text
        if self._in_fence:
            return text
        marked = canonical_markers(text, self._known, in_brackets=self._in_brackets)
        self._in_brackets = marked.in_brackets
        self.unknown.extend(marked.unknown)
        return marked.text

    def _safe_length(self) -> int:
        """Return how much of the held line has no code or marker that is still open."""
        line = self._held
        if self._in_fence or line.lstrip()[:1] in {"`", "~"}:
            return 0
        spans = [match.span() for match in CODE.finditer(line)]
        plain = list(line)
        for first, last in spans:
            plain[first:last] = "x" * (last - first)
        masked = "".join(plain)
        end = tick if (tick := masked.find("`")) >= 0 else len(line)
        if spans and spans[-1][1] == len(line):  # a further backtick could lengthen the closing run
            end = min(end, spans[-1][0])
        least = end - HELD_BACK
        opener = max(masked.rfind(sign, 0, end) for sign in "[(【")
        end = opener if opener > least and opener >= 0 else end
        while (closed := masked[:end].rstrip()).endswith((")", "]", "】")):  # what it is shows only by what follows
            opener = max(closed.rfind(sign) for sign in "[(【")
            if opener < 0 or opener <= least:
                break
            end = opener
        return len(line[:end].rstrip())
