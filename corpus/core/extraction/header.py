"""Find title and authors among the lines of a first page, by what the lines look like and how they follow each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from corpus.core.extraction.author_names import is_cut, is_filler, name_share, split_authors
from corpus.core.extraction.lines import HeaderLine, affiliation_strength, is_body_start, is_junk, is_numeral
from corpus.core.names import parse_name, same_person

MOST_LINES = 90
LONGEST_TITLE = 8
_OPEN_WORDS = r"\b(?:of|the|for|in|on|with|a|an|to|by|from|using|via|at|as|its|their|between|de|la|le|les|des|du|der|die|von|or)"
_OPEN_WORD = re.compile(rf"(?:{_OPEN_WORDS}|-)$", re.IGNORECASE)
_ENDS_OPEN = re.compile(rf"(?:{_OPEN_WORDS}|\b(?:and|et|und)|[-–,:(])$", re.IGNORECASE)
_ENDS_AUTHORS = re.compile(
    r"^\W*(?:citation|cite this|edited|reviewed|academic editor|correspond|address|received|accepted|published|date|keywords?|"
    r"how to|funding|copyright|©|present address|from the|article history|article info|a r t i c l e|editor|dedicated|"
    r"communicated|supported|advisor|supervisor)",
    re.IGNORECASE,
)
_ADDRESS_MARK = re.compile(r"^\W*(?:\(?\d{1,2}\)?|[a-z]\)?(?= )|[*†‡§¶∗]+)\s*[A-ZÀ-Þ](?!\.)[^\W\d_]")


@dataclass(frozen=True)
class FoundHeader:
    """The title and the authors of a first page, with the lines they stand in and how sure each is (0 to 1)."""

    title: str = ""
    title_lines: tuple[int, ...] = ()
    title_score: float = 0.0
    authors: tuple[str, ...] = ()
    author_lines: tuple[int, ...] = ()
    author_score: float = 0.0


@dataclass(frozen=True)
class _Traits:
    """What one line looks like: shares from 0 to 1."""

    text: str
    names: float
    place: float
    junk: bool
    body: bool
    size: float


def find_header(lines: Sequence[HeaderLine]) -> FoundHeader:
    """Find title and authors in the lines of a first page, given in reading order."""
    common = _common_words(lines)
    traits = _in_context([_look_at(line, lines, common) for line in lines[:MOST_LINES]])
    block = _best_title(traits)
    if block is None:
        return FoundHeader()
    start, end, score = block
    author_lines = _author_lines(traits, end) or _author_lines_before(traits, start)
    authors = _distinct(split_authors(_joined_names([traits[place].text for place in author_lines]), common))
    return FoundHeader(
        title=join_title([trait.text for trait in traits[start:end]]),
        title_lines=tuple(range(start, end)),
        title_score=_confidence(score),
        authors=tuple(authors),
        author_lines=tuple(author_lines),
        author_score=0.7 if authors else 0.0,
    )


def join_title(lines: Sequence[str]) -> str:
    """Put the lines of a title together; a hyphen at a line end stays where it makes a word of two."""
    title = ""
    for line in lines:
        text = line.strip()
        glue = "" if title.endswith(("-", "‐")) else " "
        title = f"{title}{glue}{text}" if title else text
    return re.sub(r"\s+", " ", re.sub(r"[\s*†‡§¶∗]+$|\s+\d$", "", title)).strip()


def _look_at(line: HeaderLine, lines: Sequence[HeaderLine], common: frozenset[str]) -> _Traits:
    text = line.text.strip()
    sizes = [other.size for other in lines if other.size > 0]
    usual = median(sizes) if sizes else 0.0
    return _Traits(
        text=text,
        names=name_share(text, common),
        place=affiliation_strength(text),
        junk=is_junk(text) or is_numeral(text),
        body=is_body_start(text),
        size=line.size / usual if usual else 0.0,
    )


def _in_context(traits: Sequence[_Traits]) -> list[_Traits]:
    """A line after one that ends in "of" or "using" goes on with it, so it names nobody."""
    kept = list(traits)
    for place in range(1, len(kept)):
        before = kept[place - 1]
        if before.names < 0.6 and not before.junk and _OPEN_WORD.search(before.text):
            kept[place] = replace(kept[place], names=0.0)
    return kept


def _common_words(lines: Sequence[HeaderLine]) -> frozenset[str]:
    """The words of the page that also stand in small letters: they are no names, whatever their capitals elsewhere."""
    texts = [line.text for line in lines if "@" not in line.text and "://" not in line.text]
    return frozenset(word for text in texts for word in re.findall(r"(?<![\w'@./-])[a-zà-ÿ]{4,}(?![\w@/])", text))


def _is_author_line(trait: _Traits) -> bool:
    return trait.names >= 0.6 and not trait.body and trait.place < 0.5


def _title_value(trait: _Traits) -> float:
    """How much a line reads like part of a title; negative where it can't be one."""
    if trait.junk or trait.body or not trait.text:
        return -3.0
    words = trait.text.split()
    letters = [word for word in words if word[0].isalpha()]
    value = min(len(words), 10) / 10
    value -= 1.5 * trait.place * (trait.place > 0.3)
    value -= 1.5 * (trait.names >= 0.6)
    value -= 0.6 * (0.4 <= trait.names < 0.6)
    value -= 0.8 * (trait.text.endswith(".") and len(words) > 8)
    value -= 0.4 * (len(letters) < 2)
    value += 1.5 * max(0.0, min(trait.size - 1.0, 1.0))
    return value


def _best_title(traits: Sequence[_Traits]) -> tuple[int, int, float] | None:
    best: tuple[float, int, int] | None = None
    for start in range(len(traits)):
        total = 0.0
        for end in range(start + 1, min(start + LONGEST_TITLE, len(traits)) + 1):
            value = _title_value(traits[end - 1])
            if value <= -2.0:
                break
            if traits[start].size and abs(traits[end - 1].size - traits[start].size) > 0.12 * traits[start].size:
                break
            total += value
            score = _block_score(traits, start, end, total)
            if best is None or score > best[0]:
                best = (score, start, end)
    return (best[1], best[2], best[0]) if best and best[0] > 0 else None


def _block_score(traits: Sequence[_Traits], start: int, end: int, total: float) -> float:
    """How much a run of lines reads like the whole title: what it is, where it stands, how it begins and ends, what follows."""
    before = 0.04 * start + 1.2 * any(trait.body for trait in traits[:start])
    return min(total, 1.8) - before - _odd_length(traits[start:end]) - _cut_off(traits, start, end) + _after(traits, end)


def _odd_length(block: Sequence[_Traits]) -> float:
    words = [len(trait.text.split()) for trait in block]
    odd = 0.6 * (sum(words) < 3) + 1.0 * (sum(words) > 30)
    odd += 1.0 * (len(block) > 3 and sum(words) < 3 * len(block))
    return odd + 0.3 * (len(block) > 1 and words[0] <= 2 and words[1] > 4)


def _cut_off(traits: Sequence[_Traits], start: int, end: int) -> float:
    """A title neither begins nor ends in the middle of a sentence."""
    cut = 1.2 * (_ENDS_OPEN.search(traits[end - 1].text) is not None)
    cut += 1.0 * bool(start and not traits[start - 1].junk and _ENDS_OPEN.search(traits[start - 1].text))
    cut += 0.8 * traits[start].text.lstrip("“\"'([¿")[:1].islower()
    if end < len(traits):
        following = traits[end]
        cut += 0.8 * (following.text[:1].islower() and not _is_author_line(following) and following.place < 0.3)
    return cut


def _after(traits: Sequence[_Traits], end: int) -> float:
    """What follows a title: authors at once are the best sign; the abstract or nothing is a weak one."""
    for distance, trait in enumerate(traits[end : end + 3]):
        if _is_author_line(trait):
            return 2.0 - 0.4 * distance
        if trait.body:
            return 0.3 - 0.1 * distance
        if not trait.junk and distance == 0 and trait.place > 0.5:
            return 0.2
    return 0.0


def _author_lines(traits: Sequence[_Traits], end: int) -> list[int]:
    """Collect the lines with authors after a title.

    Where raised marks lead to the affiliations, the authors stand in one run; otherwise each may be followed by where they work.
    """
    found: list[int] = []
    gap = 0
    for place in range(end, len(traits)):
        trait = traits[place]
        if trait.body or (found and _ENDS_AUTHORS.match(trait.text)):
            break
        if (
            _is_author_line(trait)
            and (not gap or not found or _starts_anew(trait))
            and not (found and _ADDRESS_MARK.match(trait.text))
        ):
            found.append(place)
            gap = 0
        elif found and not gap and _goes_on(traits, place):
            found.append(place)
        elif not is_filler(trait.text):
            gap += 1
            marked = found and _ADDRESS_MARK.match(trait.text) and _is_marked([traits[line].text for line in found])
            if gap > (7 if found else 5) or marked:
                break
    return found


def _starts_anew(trait: _Traits) -> bool:
    """After an affiliation only a clean line of names counts: no digits, no place in it."""
    return trait.names >= 0.9 and not re.search(r"^\W*\d|\d{2}|\b(?:[Aa]m|[Ww]eg|St)\b", trait.text) and trait.place < 0.1


def _goes_on(traits: Sequence[_Traits], place: int) -> bool:
    """Tell whether a line holds the end of a name that the line before began."""
    before, text = traits[place - 1].text, traits[place].text
    return is_cut(before) and traits[place].place < 0.3 and name_share(f"{before} {text}") > 0.7


def _is_marked(lines: Sequence[str]) -> bool:
    """Tell whether marks stand at the names: digits, letters of their own, asterisks; or several names share one run."""
    text = " ".join(lines)
    return re.search(r"[^\W\d_] ?\d|[*†‡§¶∗]|[^\W\d_]{2} [a-z]\b(?: ?,|$)|,[a-z]\b", text) is not None


def _author_lines_before(traits: Sequence[_Traits], start: int) -> list[int]:
    """Some journals print the authors above the title; those that stand nearest to it count."""
    above = [place for place in range(start) if _is_author_line(traits[place]) and traits[place].names >= 0.9]
    return above[-1:] if above and above[-1] < start - 3 else [place for place in above if place >= start - 3]


def _joined_names(lines: Sequence[str]) -> str:
    """Put author lines together: a name that a line end cuts goes on, any other line begins new names."""
    text = ""
    for line in lines:
        stripped = line.strip()
        text += stripped + (" " if re.search(r"(?:[,;&]|\band|\bund|\bet|-)$", stripped) or is_cut(stripped) else ", ")
    return text


def _distinct(names: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for name in names:
        if not any(same_person(parse_name(name), parse_name(other)) for other in kept):
            kept.append(name)
    return kept


def _confidence(score: float) -> float:
    return round(max(0.0, min(1.0, score / 4.0)), 3)
