"""Which sentences of a source can stand in an answer by themselves: whole, readable, no heading, table row or reference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.core.sentences import Sentence, sentences

LEAST_WORDS = 4
MOST_WORDS = 70
MOST_CHARACTERS = 480
UNREADABLE_KINDS = frozenset({"table", "code"})

BULLET = re.compile(r"(?:[-*•◦▪‣·–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+")
FINISHED = re.compile(r"[.!?…。！？][\"'”’»)\]」』]*\Z")
LABEL = re.compile(
    r"(?:fig(?:ure)?s?|tables?|tab|scheme|listing|algorithm|box|appendix|eqs?|equation)\.?\s*[A-Z]?\d", re.IGNORECASE
)
BIBLIOGRAPHIC = re.compile(
    r"\bdoi\s*:|\bhttps?://doi\.org/|\b10\.\d{4,9}/\S|\bet al\.?,?\s*\(?\d{4}\)?[.;]\s*\Z|\(\d{4}\)\.\s+[A-Z]"
    r"|;\s*\d+\s*\(\d+\)\s*:\s*\d+|\b\d{1,4}\s*\(\d{1,3}\)\s*[,:]\s*\d{1,5}\s*[-–]\s*\d|\bpp?\.\s*\d+\s*[-–]\s*\d+"
    r"|\bISBN\b|\bISSN\b|\barXiv:\d|^\[\d+\]\s+[A-Z]\."
)
INITIALS = re.compile(r"\b[A-Z]\.(?:[ -]?[A-Z]\.)*")
FRONT_MATTER = re.compile(
    r"©|\bcopyright\b|\ball rights reserved\b|\bcorresponding author\b|\bcorrespondence\b.*@|\bcreative commons\b"
    r"|\bopen access article\b|\breceived:?\s+\d|\baccepted:?\s+\d|\bpublished( online)?:?\s+\d|\bcompeting interests?\b"
    r"|\bconflicts? of interest\b|\S@\S+\.\S|\bthis work (?:was|is) (?:supported|funded)\b|\backnowledg|\bdownloaded from\b"
    r"|\bdepartment of\b.*\buniversity\b|\bkeywords?:",
    re.IGNORECASE,
)
MARKUP = re.compile(
    r"!?\[([^\[\]\n]{1,200})\]\([^()\s]{1,500}\)|(?<!\w)(?:\*\*|__)(?=\S)|(?<=\S)(?:\*\*|__)(?!\w)|</?[a-z][^<>\n]{0,80}>"
)
NOTE_MARKS = re.compile(r"(?<=[\w.,;)])[¹²³⁰⁴-⁹]+|\s?\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,12}\]")
DEPENDENT = re.compile(
    r"(?:this|that|these|those|it|its|they|their|them|he|she|his|her|such|both|here|there|then|however|therefore|thus|hence"
    r"|moreover|furthermore|additionally|also|similarly|likewise|in addition|in contrast|by contrast|conversely|instead|otherwise"
    r"|nevertheless|nonetheless|consequently|accordingly|as a result|for example|for instance|on the other hand|the latter"
    r"|the former|the same|another|other|others|and|but|or|so|yet|because|which|who|finally|next|second|secondly|third|in this"
    r"|in these|in that|in such|at this|to this end|for this|of these|of the latter|as such|the above"
    r"|as (?:shown|described|mentioned) above)\b",
    re.IGNORECASE,
)
POINTER = re.compile(
    r"\b(?:as shown in|shown in|see|see also|in|from|of) (?:fig|table|section|chapter|appendix|eq)"
    r"|\b(?:fig(?:ure)?s?|tables?|eqs?\.?)\s*\(?\d|\(\s*(?:left|right|top|bottom)\b"
    r"|\b(?:above|below|previous|following|next) (?:figure|table|section|example)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be quoted: `text` is how it reads, `start` and `end` are its place in the source's text.

    Attributes:
        index: its position among all sentences of the source, so neighbours can be told.
        dependent: it leans on the sentence before it ("This shows…").
        pointer: it speaks of a figure, table or section that the reader doesn't see.
        item: it is an item of a list.
    """

    start: int
    end: int
    text: str
    index: int
    dependent: bool = False
    pointer: bool = False
    item: bool = False


def readable_sentences(text: str, *, headings: Sequence[str] = (), kind: str = "text") -> tuple[Candidate, ...]:
    r"""Return the sentences of a source that can be quoted, in order.

    >>> [c.text for c in readable_sentences("Results\nThe cells fired at 5 Hz. Table 2 lists all.\nA | B | C")]
    ['The cells fired at 5 Hz.']
    """
    if kind in UNREADABLE_KINDS:
        return ()
    shown_headings = {_bare(heading) for heading in headings}
    found = []
    for index, sentence in enumerate(sentences(text)):
        candidate = _candidate(sentence, index)
        if candidate is not None and _bare(candidate.text) not in shown_headings:
            found.append(candidate)
    return tuple(found)


def _candidate(sentence: Sentence, index: int) -> Candidate | None:
    if sentence.is_code:
        return None
    bullet = BULLET.match(sentence.text)
    start = sentence.start + (bullet.end() if bullet else 0)
    shown = as_prose(sentence.text[bullet.end() if bullet else 0 :])
    if not is_readable(shown):
        return None
    return Candidate(
        start=start,
        end=sentence.end,
        text=shown,
        index=index,
        dependent=DEPENDENT.match(shown) is not None,
        pointer=POINTER.search(shown) is not None,
        item=bullet is not None,
    )


def as_prose(text: str) -> str:
    """Return a sentence as it should read in an answer: without emphasis marks, link targets, tags and note numbers."""
    plain = MARKUP.sub(lambda match: match.group(1) or "", text)
    return re.sub(r"\s+", " ", NOTE_MARKS.sub("", plain)).replace(" .", ".").replace(" ,", ",").strip()


def is_readable(text: str) -> bool:
    """Say whether a sentence is whole and made of words."""
    words = text.split()
    if not LEAST_WORDS <= len(words) <= MOST_WORDS or len(text) > MOST_CHARACTERS:
        return _is_short_of_words(text)
    return _is_whole(text) and _is_made_of_words(text, words) and not _is_debris(text)


def _is_short_of_words(text: str) -> bool:
    """Scripts without spaces between words count by characters."""
    wide = sum(1 for sign in text if "\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7a3")
    return 8 <= wide <= MOST_CHARACTERS and wide > len(text) / 2 and FINISHED.search(text) is not None


def _is_whole(text: str) -> bool:
    first = text.lstrip("\"'“‘«([")[:1]
    if not FINISHED.search(text) or not (first.isupper() or first.isdigit() or not first.isascii()):
        return False
    return text.count("(") == text.count(")") and text.count("[") == text.count("]") and not text.startswith((")", "]", ","))


def _is_made_of_words(text: str, words: Sequence[str]) -> bool:
    letters = sum(1 for sign in text if sign.isalpha())
    single = sum(1 for word in words if len(word.strip(".,;:()")) <= 1)
    capitals = sum(1 for word in words if word[:1].isupper())
    return letters >= 0.62 * len(text.replace(" ", "")) and single <= 0.3 * len(words) and capitals <= max(3, 0.65 * len(words))


def _is_debris(text: str) -> bool:
    if LABEL.match(text) or "|" in text or "\t" in text or ". . ." in text or text.count(" = ") > 1:
        return True
    if BIBLIOGRAPHIC.search(text) or FRONT_MATTER.search(text):
        return True
    return len(INITIALS.findall(text)) >= 3


def _bare(text: str) -> str:
    return re.sub(r"[^\w]+", " ", text).strip().casefold()
