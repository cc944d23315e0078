"""Find the lines that hold the authors, after (or above) a title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.core.extraction.author_names import is_cut, is_filler, name_share
from corpus.core.extraction.traits import Traits

_ENDS_AUTHORS = re.compile(
    r"^\W*(?:citation|cite this|edited|reviewed|academic editor|correspond|address|received|accepted|published|date|keywords?|"
    r"how to|funding|copyright|©|present address|from the|article history|article info|a r t i c l e|editor|dedicated|"
    r"communicated|supported|advisor|supervisor)",
    re.IGNORECASE,
)
_ADDRESS_MARK = re.compile(r"^\W*(?:\(?\d{1,2}\)?|[a-z]\)?(?= )|[*†‡§¶∗]+)\s*[A-ZÀ-Þ](?!\.)[^\W\d_]")
_BEGINS_LATE = re.compile(r"^\W*(?:,|\band\b|&)\s*[^\W\d_]", re.IGNORECASE)


def author_lines(traits: Sequence[Traits], start: int, end: int) -> list[int]:
    """Return the places of the lines with authors, for a title in `traits[start:end]`."""
    return _after_title(traits, end) or _above_title(traits, start)


def joined_names(lines: Sequence[str]) -> str:
    """Put author lines together: a name that a line end cuts goes on, any other line begins new names."""
    text = ""
    for line in lines:
        stripped = line.strip()
        text += stripped + (" " if re.search(r"(?:[,;&]|\band|\bund|\bet|-)$", stripped) or is_cut(stripped) else ", ")
    return text


def _after_title(traits: Sequence[Traits], end: int) -> list[int]:
    """Collect the lines with authors after a title.

    Where raised marks lead to the affiliations, the authors stand in one run; otherwise each may be followed by where they work.
    """
    found: list[int] = []
    gap = 0
    for place in range(end, len(traits)):
        trait = traits[place]
        if trait.body or (found and _ENDS_AUTHORS.match(trait.text)):
            break
        if trait.is_authors and (not gap or not found or _starts_anew(trait)) and not (found and _ADDRESS_MARK.match(trait.text)):
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


def _starts_anew(trait: Traits) -> bool:
    """After an affiliation only a clean line of names counts: no digits, no place in it."""
    return trait.names >= 0.9 and not re.search(r"^\W*\d|\d{2}|\b(?:[Aa]m|[Ww]eg|St)\b", trait.text) and trait.place < 0.1


def _goes_on(traits: Sequence[Traits], place: int) -> bool:
    """Tell whether a line holds the end of a name that the line before began."""
    before, text = traits[place - 1].text, traits[place].text
    if _BEGINS_LATE.match(text) and len(text.split()) <= 6 and traits[place].place < 0.3:
        return True
    return is_cut(before) and traits[place].place < 0.3 and name_share(f"{before} {text}") > 0.7


def _is_marked(lines: Sequence[str]) -> bool:
    """Tell whether marks stand at the names: digits, letters of their own, asterisks; or several names share one run."""
    text = " ".join(lines)
    return re.search(r"[^\W\d_] ?\d|[*†‡§¶∗]|[^\W\d_]{2} [a-z]\b(?: ?,|$)|,[a-z]\b", text) is not None


def _above_title(traits: Sequence[Traits], start: int) -> list[int]:
    """Some journals print the authors above the title; those that stand nearest to it count."""
    above = [place for place in range(start) if traits[place].is_authors and traits[place].names >= 0.9]
    return above[-1:] if above and above[-1] < start - 3 else [place for place in above if place >= start - 3]
