"""Which sentences of a source can stand in an answer by themselves: whole, readable, no heading, table row or reference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.core.extraction.debris import is_debris
from chat.core.sentences import BULLET, Sentence, sentences

LEAST_WORDS = 4
MOST_WORDS = 70
MOST_CHARACTERS = 480
MOST_ITEMS = 6
LONGEST_ITEM = 220

FINISHED = re.compile(r"[.!?…。！？][\"'”’»)\]」』]*\Z")
MARKUP = re.compile(
    r"!?\[([^\[\]\n]{1,200})\]\([^()\s]{1,500}\)|(?<!\w)(?:\*\*|__)(?=\S)|(?<=\S)(?:\*\*|__)(?!\w)|</?[a-z][^<>\n]{0,80}>"
    r"|\{[a-z][\w:-]{0,30}\}\s?|\s<[a-z][\w:.-]{2,80}>"
)
NOTE_MARKS = re.compile(r"(?<=[\w.,;)])[¹²³⁰⁴-⁹]+|\s?\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,12}\]")
DEPENDENT = re.compile(
    r"(?:this|that|these|those|it|its|they|their|them|he|she|his|her|such|both|here|there|then|however|therefore|thus|hence"
    r"|moreover|furthermore|additionally|also|similarly|likewise|in addition|in contrast|by contrast|conversely|instead|otherwise"
    r"|nevertheless|nonetheless|consequently|accordingly|as a result|for example|for instance|on the other hand|the latter"
    r"|the former|the same|another|other|others|and|but|or|so|yet|because|which|who|finally|next|second|secondly|third|in this"
    r"|in these|in that|in such|at this|to this end|for this|of these|of the latter|as such|the above|now that"
    r"|as (?:shown|described|mentioned) above|as with the previous)\b",
    re.IGNORECASE,
)
POINTER = re.compile(
    r"\b(?:as shown in|shown in|see|see also|in|from|of) (?:fig|table|section|chapter|appendix|eq)"
    r"|\b(?:fig(?:ure)?s?|tables?|eqs?\.?)\s*\(?\d|\(\s*(?:left|right|top|bottom)\b|\b(?:here|below|above)\s*[.:]?\Z"
    r"|\b(?:above|below|previous|following|next) (?:figure|table|section|example)|\blisted below\b"
    r"|\bthis (?:page|tutorial|section)\b|\b(?:see|click|found|available) (?:here|below|above|also|the \w+ (?:page|docs?))\b|https?://",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Line:
    """What follows a lead-in: an item of a list, or a command; `numbered` keeps its number."""

    start: int
    end: int
    text: str
    numbered: str = ""


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be quoted: `text` is how it reads, `start` and `end` are its place in the source's text.

    Attributes:
        index: its position among all sentences of the source, so neighbours can be told.
        dependent: it leans on the sentence before it ("This shows…").
        pointer: it speaks of a figure, table or section that the reader doesn't see.
        item: it is an item of a list.
        lines: what it leads in ("To add a file:"), shown with it.
    """

    start: int
    end: int
    text: str
    index: int
    dependent: bool = False
    pointer: bool = False
    item: bool = False
    lines: tuple[Line, ...] = ()

    @property
    def whole(self) -> str:
        """The sentence with the lines that it leads in."""
        return " ".join((self.text, *(line.text for line in self.lines)))


def readable_sentences(text: str, *, headings: Sequence[str] = (), kind: str = "text") -> tuple[Candidate, ...]:
    r"""Return the sentences of a source that can be quoted, in order.

    >>> [c.text for c in readable_sentences("Results\nThe cells fired at 5 Hz. Table 2 lists all.\nA | B | C")]
    ['The cells fired at 5 Hz.']
    """
    if kind == "table":
        return ()
    shown_headings = {_bare(heading) for heading in headings}
    parts = sentences(text, joins_lines=True)
    found = []
    taken = 0
    for index, sentence in enumerate(parts):
        if index < taken:
            continue
        lines, after = _lines_after(text, parts, index)
        candidate = _candidate(sentence, index, lines)
        if candidate is not None and _bare(candidate.text) not in shown_headings:
            found.append(candidate)
            taken = after
    return tuple(found)


def _lines_after(text: str, parts: Sequence[Sentence], index: int) -> tuple[tuple[Line, ...], int]:
    """Return the list or the command that a sentence leads in by its colon, and the index after it; none if it is too long."""
    lead = parts[index]
    if not lead.text.endswith(":"):
        return (), index + 1
    found: list[Line] = []
    after = index + 1
    for part in parts[index + 1 :]:
        bullet = BULLET.match(part.text)
        if found and bullet is None and "\n" not in text[found[-1].end : part.start]:
            found[-1] = _line(Sentence(found[-1].start, part.end, text[found[-1].start : part.end]), None, found[-1].numbered)
        elif bullet is not None or (not found and is_command(part.text)):
            found.append(_line(part, bullet))
        else:
            break
        after += 1
    fits = 0 < len(found) <= MOST_ITEMS and all(0 < len(line.text) <= LONGEST_ITEM for line in found)
    return (tuple(found), after) if fits else ((), index + 1)


def _line(part: Sentence, bullet: re.Match[str] | None, number: str = "") -> Line:
    start = part.start + (bullet.end() if bullet else 0)
    if bullet and bullet.group()[:1].isdigit():
        number = bullet.group().strip()
    shown = as_prose(part.text[bullet.end() if bullet else 0 :])
    is_code = bullet is None and is_command(shown) and "`" not in shown
    return Line(start, part.end, f"`{shown}`" if is_code else shown, number)


def is_command(text: str) -> bool:
    """Say whether a line is something to type: short, on one line, no sentence.

    >>> is_command("pip install pyneuroml"), is_command("The cells are shown here.")
    (True, False)
    """
    return "\n" not in text and len(text) <= 120 and text[:1].islower() and " " in text and not text.endswith((".", ":", ","))


def _candidate(sentence: Sentence, index: int, lines: tuple[Line, ...]) -> Candidate | None:
    if sentence.is_code:
        return None
    mark = _length_of_marks(sentence.text)
    start = sentence.start + mark
    shown = as_prose(sentence.text[mark:])
    if not is_readable(shown, leads_in=bool(lines)):
        return None
    return Candidate(
        start=start,
        end=sentence.end,
        text=shown,
        index=index,
        dependent=DEPENDENT.match(shown) is not None,
        pointer=not lines and POINTER.search(shown) is not None,
        item=mark > 0,
        lines=lines,
    )


def _length_of_marks(text: str) -> int:
    """Return the length of what marks a list item: "- (4) " as well as "1. "."""
    length = 0
    while bullet := BULLET.match(text, length):
        length = bullet.end()
    return length


def as_prose(text: str) -> str:
    """Return a sentence as it should read in an answer: without emphasis marks, link targets, tags and note numbers."""
    plain = MARKUP.sub(lambda match: match.group(1) or " " * match.group().startswith(" "), text)
    spaced = re.sub(r"\s+", " ", NOTE_MARKS.sub("", plain))
    return re.sub(r"\.{2}(?!\.)", ".", re.sub(r" ([.,;:)])", r"\1", re.sub(r"\( ", "(", spaced))).strip()


def is_readable(text: str, *, leads_in: bool = False) -> bool:
    """Say whether a sentence is whole and made of words."""
    words = text.split()
    if not LEAST_WORDS <= len(words) <= MOST_WORDS or len(text) > MOST_CHARACTERS:
        return _is_short_of_words(text)
    return _is_whole(text, leads_in=leads_in) and _is_made_of_words(text, words) and not is_debris(text)


def _is_short_of_words(text: str) -> bool:
    """Scripts without spaces between words count by characters."""
    wide = sum(1 for sign in text if "\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7a3")
    return 8 <= wide <= MOST_CHARACTERS and wide > len(text) / 2 and FINISHED.search(text) is not None


def _is_whole(text: str, *, leads_in: bool) -> bool:
    first = text.lstrip("\"'“‘«([`")[:1]
    if not (FINISHED.search(text) or leads_in) or not (first.isupper() or first.isdigit() or not first.isascii()):
        return False
    return text.count("(") == text.count(")") and text.count("[") == text.count("]") and text[0] not in ")],"


def _is_made_of_words(text: str, words: Sequence[str]) -> bool:
    letters = sum(1 for sign in text if sign.isalpha())
    single = sum(1 for word in words if len(word.strip(".,;:()")) <= 1)
    capitals = sum(1 for word in words if word[:1].isupper())
    return letters >= 0.62 * len(text.replace(" ", "")) and single <= 0.3 * len(words) and capitals <= max(3, 0.65 * len(words))


def _bare(text: str) -> str:
    return re.sub(r"[^\w]+", " ", text).strip().casefold()
