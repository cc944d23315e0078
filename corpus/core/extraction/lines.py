"""The lines of a first page, and what kind of line each is: the ground that title and authors are looked for on."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.core.chunk import Box
from corpus.core.text import fold


@dataclass(frozen=True)
class HeaderLine:
    """A line of a first page.

    Attributes:
        text: as it stands there.
        size: the font's size in points; 0 where it isn't known.
        bold: whether it is set bold.
        box: where it stands; None where it isn't known.
    """

    text: str
    size: float = 0.0
    bold: bool = False
    box: Box | None = None


STRONG_AFFILIATION = re.compile(
    r"\b(?:universi\w*|univ|institut[eo]?s?|depart[ea]?ment\w*|dept|departamento|dipartimento|laborat\w*|facult\w*|"
    r"fakult\w*|facolt\w*|"
    r"school of|hospital\w*|h[oô]pital|college|academy of|cnrs|inserm|inria|csic|gmbh|ltd|inc|corp|corporation|"
    r"cedex|umr|lehrstuhl|"
    r"technische|p\.?\s?o\.?\s?box|center for|centre for|division of|graduate school|research cent(?:er|re))\b|"
    r"\b\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b",
    re.IGNORECASE,
)
WEAK_AFFILIATION = re.compile(
    r"\b(?:cent(?:er|re|ro)s?|division|group|company|agency|museum|foundation|unit|box|street|avenue|ave|road|drive|"
    r"boulevard|blvd|campus|building|"
    r"suite|rue|via|u\.?s\.?a|u\.?k|united states|kingdom|france|germany|deutschland|china|japan|korea|italy|italia|"
    r"spain|españa|canada|australia|"
    r"switzerland|netherlands|sweden|norway|denmark|finland|belgium|austria|poland|russia|india|pakistan|iran|"
    r"israel|turkey|brazil|mexico|"
    r"taiwan|singapore|ireland|portugal|greece|hungary|california|massachusetts|new york|london|paris|berlin|tokyo|"
    r"beijing|lecturer|professor|"
    r"student|fellow|director)\b",
    re.IGNORECASE,
)
JUNK = re.compile(
    r"@|\bhttps?:|\bwww\.|\bdoi\b|\bissn\b|\bisbn\b|©|\(c\)\s*\d{4}|^\W*c ?\d{4}\b|\bcopyright\b|"
    r"all rights reserved|\barxiv\s*:|\bhal-\d|\bpii\b|"
    r"\bvol(?:ume)?s?\b\.?\s*(?:[\divxlc]+\b|unknown)|\bno\.\s*\d|\bpp?\.\s*\d+|\bpages \d+|\d+\s*\(\d{4}\)\s*\d+|"
    r"\bissue\s+\d|journal homepage|"
    r"contents lists available|author manuscript|preprint submitted|preprint typeset|authorized licen[sc]ed use|"
    r"\bdownloaded\b|"
    r"^\W*(?:received|accepted|revised|published|available online|submitted|posted|updated|manuscript)\b.*(?:\d{4}|"
    r":|publication|$)|"
    r"^\W*(?:date|dated|e-?mails?|tel|fax|phone|correspondence|corresponding author|address(?:es)?|edited by|"
    r"reviewed by|editors?|handling editor|"
    r"academic editor|citation|cite this|running (?:title|head)|short title|key ?-?words?(?: and phrases)?|"
    r"index terms|pacs|msc|jel|ccs|abbreviations?|"
    r"present address|current address|funding|specialty section|categories|general terms|subject|report(?: no)?|"
    r"contact|author|authors|title|"
    r"note|word count|license|supervisor|advisor)s?\s*(?:[:—=]|numbers?\b|$)|"
    r"^\W*(?:to whom|how to cite|correspondence (?:to|should)|address (?:for|reprint|all|correspond)|this article|"
    r"this (?:work|paper|study) (?:was|is|has)|"
    r"supported by|conflicts? of interest|data availability|from the (?:depart|divis|instit)|the authors?\b|"
    r"a thesis|a dissertation|"
    r"in partial fulfil|for the degree|submitted (?:to|in|for)|contributed|presented (?:at|to|by)|prepared|issued|"
    r"reprint|permission)|"
    r"\b(?:proceedings of|proc\.|symposium on|symposium, |workshop on|congress|conference on|appears? in|to appear|"
    r"in press|published (?:in|by|as|online)|"
    r"reprinted|creative commons|elsevier|springer|blackwell|kluwer|wiley|taylor\s*&\s*francis|university press|"
    r"acm press|ieee press|publish(?:ing|ers)|"
    r"the current issue|full text archive|crossmark|check for updates|advance access|trim size|style file|"
    r"transactions on|international journal|"
    r"^(?:the )?(?:[\w-]+ )?journal of|technical report|tech\. rep|working paper|discussion paper|lecture notes|"
    r"association for|society of|all authors|"
    r"contributed equally|powered by|printed in|open access|manufactured in|tous droits|bull\.|ann\.|j\. [a-z]+\.)|"
    r"^\W*\d+\W*$|^page \d+|^\d+\s+of\s+\d+",
    re.IGNORECASE,
)
LABEL = re.compile(
    r"^\W*(?:(?:original|full[- ]length|full|regular|invited|short|brief|rapid|case|special|review|technical|"
    r"research|featured?|mini|systematic|data|"
    r"clinical|plenary|survey|position|letters? to the|readers'?)[\s-]*)*(?:article|research|paper|report|"
    r"communication|letter|review|note|editorial|editor|"
    r"commentary|comments?|correspondence|perspective|opinion|essay|contribution|investigation|methodology|protocol|"
    r"survey|discussion|descriptor|"
    r"tutorial|erratum|corrigendum|viewpoint|study|topic|focus|highlight|open|issue|full paper|feature|talk|"
    r"abstract|preprint|draft|version|"
    r"care update|medicine|biology|physics|chemistry|psychology|mathematics|genetics|engineering|bioinformatics|"
    r"neuroscience)s?\W*\d*\W*$",
    re.IGNORECASE,
)
_OPENING = (
    r"(?=\W*$|\s*[:.—–|-]|\s+(?:We|The|In|This|These|A|An|Our|It|To|For|Background|Objectives?|Purpose|Here|Many|Recent|There)\b)"
)
BODY_START = re.compile(
    r"^\W*(?:\d+\.?\s+)?(?:(?i:a\s?b\s?s\s?t\s?r\s?a\s?c\s?ts?|summary|synopsis|r[ée]sum[ée]|zusammenfassung|resumen|resumo|sommaire|"
    rf"riassunto|abstraet|abstr\.){_OPENING}|(?i:objectives?\s*:|background\s*:?\s*$|purpose\s*:|i?\.?\s*introduction\W*$|significance\W*$|"
    r"contents\W*$))"
)
_SPACED = re.compile(r"^(?:[A-Z] ){3,}[A-Z]$")
MONTH = re.compile(
    r"\b(?:jan(?:uary|vier)?|feb(?:ruary)?|mar(?:ch|s)?|apr(?:il)?|avril|mai|may|june?|july?|juin|juillet|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b\.?,?\s*(?:\d{1,2}(?:st|nd|rd|th)?\b)?,?\s*(?:\d{4})?",
    re.IGNORECASE,
)


def is_body_start(text: str) -> bool:
    """Tell whether the abstract, or the text itself, begins with this line."""
    return BODY_START.match(text) is not None


def is_junk(text: str) -> bool:
    """Tell whether a line belongs to the frame of the page: journal, volume, dates, addresses on the web, labels."""
    return bool(JUNK.search(text) or LABEL.match(_unspaced(text)) or is_date(text) or not re.search(r"[^\W\d_]{2}", text))


def is_date(text: str) -> bool:
    """Tell whether a line is a date, or a place with a date as conferences print it."""
    month = MONTH.search(text)
    if month is None or len(text) > 100:
        return False
    has_year = re.search(r"\b(?:19|20)\d{2}\b", text) is not None
    return has_year or len(re.sub(r"[\W\d_]", "", MONTH.sub("", text))) < 6


def affiliation_strength(text: str) -> float:
    """Return how much a line reads like where somebody works: 0 (not at all) to 1."""
    words = max(1, len(text.split()))
    weak = len(WEAK_AFFILIATION.findall(text))
    strong = len(STRONG_AFFILIATION.findall(text))
    return min(1.0, 1.5 * weak / words + (0.35 if strong else 0.0) + 2.0 * strong / words)


def _unspaced(text: str) -> str:
    """Close words that are set wide: "R E V I E W" is a label like any other."""
    return text.replace(" ", "") if _SPACED.match(text.strip()) else text


def is_numeral(text: str) -> bool:
    """Tell whether a line is mostly digits and marks."""
    letters = sum(sign.isalpha() for sign in text)
    return letters < 0.4 * len(text.replace(" ", ""))


def plain_letters(text: str) -> str:
    """Return the folded letters and digits of a text, run together."""
    return re.sub(r"[\W_]", "", fold(text))
