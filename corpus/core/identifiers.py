"""Identifiers of works: DOI, arXiv, PMID, PMC, ISBN and ISSN, brought to one form and found in text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["doi", "arxiv", "pmid", "pmcid", "isbn", "issn"]

_LABEL_BEFORE = re.compile(r"^\s*(?:info:)?doi\s*[:=/]?\s*(?=10\.|https?:|(?:dx\.)?doi\.org)", re.IGNORECASE)
_ADDRESS_BEFORE = re.compile(r"^\s*(?:https?://)?(?:[\w-]+\.)+[a-z]{2,}/(?:\S*?/)??(?=10\.\d)", re.IGNORECASE)
_URL_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_DOI_IN_TEXT = re.compile(
    r"(?<![\d.])10\.\d{4,9}(?:\.\d+)*(?P<slash>\s?/\s?)"
    r"(?:(?![,;](?:https?:|10\.\d{4}|doi))[^\s\"'“”‘’|]|(?<=[./_-])[ \t]*\n[ \t]*(?=[a-z0-9]))+"
)
_LABEL = re.compile(r"(?:\bdoi\s*[:=]?|doi\.org/)\s*$", re.IGNORECASE)
_JUNK_TAILS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"[?#](?!$).*=.*$",  # a query of a web address
        r"/-/DC\w*.*$",  # supplements of PNAS and others
        r"/\d+/[^/]*\.pdf$",  # /254766/rstb.2017.0379.pdf
        r"(?:/|\.)(?:full|abstract|epdf|fulltext|full-text|meta|pdf|html|summary|suppinfo|figures|references)(?:[./](?:pdf|html?|text))?$",
        r"/(?:suppl_file|asset|mmc\d*|attachment)s?/.*$",
        r"\.pdf$",
        r"(?<=\d{6})v\d+(?:\.full.*)?$",  # the version of a bioRxiv posting
    )
)
_TRAILING = re.compile(r"[.,;:'\"”’»>*†‡\\_]+$")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}

_ARXIV_NEW = r"\d{4}\.\d{4,5}"
_ARXIV_OLD = r"[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7}"
_ARXIV = re.compile(rf"^(?:{_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d+)?$")
_ARXIV_IN_TEXT = re.compile(
    rf"(?:arxiv\s*:\s*|arxiv\.org/(?:abs|pdf)/|10\.48550/arxiv\.)({_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d+)?", re.IGNORECASE
)
_PMID_IN_TEXT = re.compile(
    r"\b(?:PMID|PubMed(?:\s+ID)?)\s*[:#]?\s*(\d{4,8})\b|pubmed\.ncbi\.nlm\.nih\.gov/(\d{4,8})", re.IGNORECASE
)
_PMC_IN_TEXT = re.compile(r"\bPMC\s*(?:ID)?\s*:?\s*(?:PMC)?(\d{4,9})\b")
_ISBN_IN_TEXT = re.compile(r"\bISBN(?:[- ]?1[03])?\s*[:#]?\s*((?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dX])\b", re.IGNORECASE)
_ISSN_IN_TEXT = re.compile(r"\b[ep]?-?ISSN\s*(?:\([^)]*\))?\s*[:#]?\s*(\d{4}-?\d{3}[\dX])\b", re.IGNORECASE)


@dataclass(frozen=True)
class FoundIdentifier:
    """An identifier in a text: its normal form, where it stands, and whether a label names it."""

    kind: Kind
    value: str
    start: int
    end: int
    labelled: bool


def normalize_doi(text: str) -> str:
    """Bring a written DOI to its bare form: no resolver, no label, no junk after it. What stands inside it stays.

    A DOI may hold slashes, parentheses, `<` and `;`; only tails that are known not to belong (file names, supplements, views of a
    web page, unmatched brackets, full stops) are taken off. The case stays; compare with `doi_key`.

    >>> normalize_doi("https://doi.org/10.1093/cercor/bhx179."), normalize_doi("doi:10.1016/S0140-6736(05)66545-0)")
    ('10.1093/cercor/bhx179', '10.1016/S0140-6736(05)66545-0')
    """
    written = html.unescape(text).replace("\u200b", "").strip().lstrip("([{<\"'")
    bare = _ADDRESS_BEFORE.sub("", _LABEL_BEFORE.sub("", written))
    if bare != written and "%" in bare:
        bare = _URL_PERCENT.sub(lambda code: chr(int(code[1], 16)) if int(code[1], 16) < 128 else code[0], bare)
    return _without_junk(bare)


def is_doi(text: str) -> bool:
    """Tell whether a bare text has the form of a DOI: 10., a registrant of four to nine digits, a slash, a suffix."""
    return _DOI.fullmatch(text) is not None


def doi_key(text: str) -> str:
    """Return the form under which DOIs are compared and cached: normal, in lower case (DOIs ignore case)."""
    return normalize_doi(text).lower()


def find_dois(text: str) -> tuple[FoundIdentifier, ...]:
    """Find the DOIs in a text, in order; one that a line end cuts after a full stop, slash, dash or underscore is put together.

    >>> [found.value for found in find_dois("see 10.1111/first.1, (doi: 10.2222/second(2)).")]
    ['10.1111/first.1', '10.2222/second(2)']
    """
    found = []
    for match in _DOI_IN_TEXT.finditer(text):
        labelled = _LABEL.search(text, max(0, match.start() - 24), match.start()) is not None
        value = _without_junk(html.unescape("".join(match.group().split())))
        if is_doi(value) and (labelled or match["slash"] == "/"):
            found.append(FoundIdentifier("doi", value, match.start(), match.end(), labelled))
    return tuple(found)


def normalize_arxiv(text: str) -> str:
    """Bring an arXiv number to its bare form, without version; empty when it is none.

    >>> normalize_arxiv("arXiv:2101.00001v2 [q-bio]"), normalize_arxiv("https://arxiv.org/abs/hep-th/9901001")
    ('2101.00001', 'hep-th/9901001')
    """
    bare = re.sub(r"^\s*(?:https?://)?(?:arxiv\.org/(?:abs|pdf)/|arxiv\s*:\s*|10\.48550/arxiv\.)", "", text, flags=re.IGNORECASE)
    bare = re.sub(r"\.pdf$", "", bare.strip().split(" ")[0])
    return re.sub(r"v\d+$", "", bare) if _ARXIV.match(bare) else ""


def normalize_pmid(text: str) -> str:
    """Return a PubMed number as digits; empty when it is none."""
    found = re.fullmatch(
        r"\s*(?:https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|pmid\s*:?\s*)?(\d{1,8})/?\s*",
        text,
        re.IGNORECASE,
    )
    return found[1] if found else ""


def normalize_pmcid(text: str) -> str:
    """Return a PubMed Central number as PMC and digits; empty when it is none."""
    found = re.fullmatch(r".*?(?:PMC\s*:?\s*)?(\d{3,9})/?\s*", text.strip(), re.IGNORECASE)
    return f"PMC{found[1]}" if found and (text.strip().isdigit() or "pmc" in text.lower()) else ""


def normalize_isbn(text: str) -> str:
    """Return an ISBN as thirteen digits; empty when its check digit is wrong.

    >>> normalize_isbn("ISBN 0-306-40615-2"), normalize_isbn("978-0-306-40615-7"), normalize_isbn("978-0-306-40615-8")
    ('9780306406157', '9780306406157', '')
    """
    signs = re.sub(r"[^\dX]", "", re.sub(r"^\s*ISBN(?:[- ]?1[03])?\s*:?", "", text, flags=re.IGNORECASE).upper())
    if re.fullmatch(r"\d{9}[\dX]", signs):
        total = sum((10 - place) * (10 if sign == "X" else int(sign)) for place, sign in enumerate(signs))
        return _with_check_digit("978" + signs[:9]) if total % 11 == 0 else ""
    return signs if re.fullmatch(r"97[89]\d{10}", signs) and _with_check_digit(signs[:12]) == signs else ""


def normalize_issn(text: str) -> str:
    """Return an ISSN as NNNN-NNNC; empty when its check digit is wrong."""
    signs = re.sub(r"[^\dX]", "", text.upper())
    if not re.fullmatch(r"\d{7}[\dX]", signs):
        return ""
    total = sum((8 - place) * (10 if sign == "X" else int(sign)) for place, sign in enumerate(signs))
    return f"{signs[:4]}-{signs[4:]}" if total % 11 == 0 else ""


def find_identifiers(text: str) -> tuple[FoundIdentifier, ...]:
    """Find every identifier of a known kind in a text, in order of appearance."""
    found = list(find_dois(text))
    for kind, pattern, normal in _PATTERNS:
        for match in pattern.finditer(text):
            value = normal(next(group for group in match.groups() if group))
            if value:
                found.append(FoundIdentifier(kind, value, match.start(), match.end(), labelled=True))
    return tuple(sorted(found, key=lambda entry: (entry.start, entry.kind)))


_PATTERNS: tuple[tuple[Kind, re.Pattern[str], Callable[[str], str]], ...] = (
    ("arxiv", _ARXIV_IN_TEXT, normalize_arxiv),
    ("pmid", _PMID_IN_TEXT, normalize_pmid),
    ("pmcid", _PMC_IN_TEXT, normalize_pmcid),
    ("isbn", _ISBN_IN_TEXT, normalize_isbn),
    ("issn", _ISSN_IN_TEXT, normalize_issn),
)


def _without_junk(bare: str) -> str:
    previous = None
    while bare != previous:
        previous = bare
        bare = _trim_end(bare)
        if bare.startswith("10.") and "/" in bare:
            prefix, _, suffix = bare.partition("/")
            for tail in _JUNK_TAILS:
                suffix = tail.sub("", suffix) or suffix
            bare = f"{prefix}/{suffix}"
    return bare


def _trim_end(text: str) -> str:
    """Take off closing marks that nothing opened, and full stops; `…;2-#` of a SICI ends in what it needs."""
    trimmed = _TRAILING.sub("", text) if not re.search(r"<\d+::?\w+", text) else text.rstrip(".,;:'\"")
    while trimmed and trimmed[-1] in _PAIRS and trimmed.count(trimmed[-1]) > trimmed.count(_PAIRS[trimmed[-1]]):
        trimmed = _TRAILING.sub("", trimmed[:-1])
    return trimmed


def _with_check_digit(twelve: str) -> str:
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(twelve))
    return f"{twelve}{(10 - total % 10) % 10}"
