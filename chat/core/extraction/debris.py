"""What looks like a sentence and isn't one: captions, entries of reference lists, front matter, residues of markup."""

from __future__ import annotations

import re

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
RESIDUE = re.compile(r"\||\t|\. \. \.|\{\w+\}|^\(?\w+(?::\w+)+\)?=|-{4,}|={4,}|\blanguage: \w+|\blines: \d")


def is_debris(text: str) -> bool:
    """Say whether a text is no sentence of its author's argument.

    >>> is_debris("Figure 2. Traces of all cells."), is_debris("The cells fired at 5 Hz.")
    (True, False)
    """
    if LABEL.match(text) or RESIDUE.search(text) or text.count(" = ") > 1:
        return True
    if BIBLIOGRAPHIC.search(text) or FRONT_MATTER.search(text):
        return True
    return len(INITIALS.findall(text)) >= 3
