"""Which DOI on a first page is the document's own: not that of a cited work, a data set, a supplement or a commentary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.core.identifiers import doi_key, find_dois

SURE = 0.5

_OF_ANOTHER = re.compile(
    r"\b(?:see|comment(?:s|ary)?|companion|accompan\w+|supplement\w*|appendix|data ?sets?|data (?:is|are|were|have|can)|"
    r"deposited|repository|zenodo|figshare|dryad|osf|archived at|erratum|corrigendum|correction (?:to|for)|retract\w*|reply|"
    r"response to|preprint|previous version|available (?:at|from|in)|code|software|et al)\b",
    re.IGNORECASE,
)
_OF_THIS = re.compile(
    r"\b(?:citation|cite this|how to cite|to cite|article doi|published|received|accepted|©|copyright|vol(?:ume)?\.?|journal|"
    r"pp?\.|issn|available online|article history|digital object)|©|\b(?:19|20)\d{2}\b",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"^\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited|works cited)\W*$", re.IGNORECASE | re.MULTILINE
)
_DATA_REGISTRANT = re.compile(
    r"^10\.(?:5281|6084|5061|17632|7910|17605|5256|18112|24433)/|/(?:m9\.)?figshare\.|/zenodo\.", re.IGNORECASE
)
_COMPONENT = re.compile(r"\.(?:[gst]\d{3}|suppl?\w*)$|/suppl?_?\w*$", re.IGNORECASE)


@dataclass(frozen=True)
class OwnDoi:
    """A DOI that may be the document's own, how likely (0 to 1), the line it stands in, and why it is in doubt."""

    value: str
    score: float
    line: str
    doubt: str = ""


def own_dois(text: str) -> tuple[OwnDoi, ...]:
    r"""Weigh the DOIs of a first page; the likeliest first, each once, those of the reference list left out.

    A DOI is in doubt when its surroundings speak of another work, or when another is about as likely.

    >>> own_dois("Journal of X 12 (2019)\ndoi: 10.1000/own.1\nSee Ware et al. (doi:10.1000/other.2) for a comment")[0].value
    '10.1000/own.1'
    """
    end = _REFERENCES.search(text)
    opening = text[: end.start()] if end else text
    found: dict[str, list[OwnDoi]] = {}
    for entry in find_dois(opening):
        line, before = _surroundings(opening, entry.start, entry.end)
        found.setdefault(doi_key(entry.value), []).append(
            OwnDoi(entry.value, _weigh(entry.value, line, before, entry.labelled), line)
        )
    best = [max(places, key=lambda place: place.score + 0.15 * (len(places) > 1)) for places in found.values()]
    return _in_order([place for place in best if not _goes_too_far(place, best)])


def _goes_too_far(one: OwnDoi, others: Sequence[OwnDoi]) -> bool:
    """Tell whether a DOI is another one of the page with a page number or a part's number run into it."""
    return any(re.fullmatch(re.escape(other.value) + r"\.\d{1,4}", one.value, re.IGNORECASE) for other in others)


def _in_order(found: Sequence[OwnDoi]) -> tuple[OwnDoi, ...]:
    ranked = sorted(found, key=lambda entry: -entry.score)
    if not ranked:
        return ()
    runner_up = ranked[1].score if len(ranked) > 1 else 0.0
    contested = len(ranked) > 1 and ranked[0].score - runner_up < 0.15
    first = (
        ranked[0] if not contested else OwnDoi(*_doubted(ranked[0], f"Another DOI stands on the page too: {ranked[1].value}."))
    )
    rest = [OwnDoi(*_doubted(entry, "Another DOI on the page is likelier.")) for entry in ranked[1:]]
    return tuple(_unsure(entry) for entry in (first, *rest))


def _unsure(entry: OwnDoi) -> OwnDoi:
    if entry.score >= SURE or entry.doubt:
        return entry
    return OwnDoi(*_doubted(entry, "What stands around this DOI speaks of another work."))


def _doubted(entry: OwnDoi, doubt: str) -> tuple[str, float, str, str]:
    return entry.value, entry.score, entry.line, doubt


def _weigh(value: str, line: str, before: str, labelled: bool) -> float:  # noqa: FBT001 -- called in one place
    score = 0.55 + 0.15 * labelled
    score += 0.15 * (len(re.sub(r"\s", "", line)) < len(value) + 30)
    score += 0.15 * (_OF_THIS.search(before + line) is not None)
    score -= 0.4 * (_OF_ANOTHER.search(f"{before} {line}".replace(value, "")) is not None)
    score -= 0.25 * (_DATA_REGISTRANT.search(value) is not None) + 0.6 * (_COMPONENT.search(value) is not None)
    return round(max(0.0, min(1.0, score)), 3)


def _surroundings(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the line a DOI stands in, and the end of the line before, where a sentence may go on."""
    begin = text.rfind("\n", 0, start) + 1
    close = text.find("\n", end)
    line = text[begin : close if close >= 0 else len(text)]
    previous = text[text.rfind("\n", 0, max(0, begin - 1)) + 1 : max(0, begin - 1)]
    return line, previous[-60:] if previous and not previous.rstrip().endswith(".") else ""
