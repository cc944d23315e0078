"""Does a page need optical character recognition? Decided from facts about its text layer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

IMAGE_PAGE_CHARACTERS = 50
IMAGE_PAGE_SHARE = 0.5

_GLYPH_NAME = re.compile(r"(?:/?(?:GLYPH<\d+>|g\d{1,4}|cid:\d+|uni[0-9A-F]{4}|glyph\d+|c\d{1,3})\b|\(cid:\d+\))", re.IGNORECASE)
_VOWELS = frozenset("aeiouyøæœıаеиоуыэюяєіαεηιουω")
_LAST_CYRILLIC = 0x530


@dataclass(frozen=True)
class OcrNeed:
    """What a pre-check found in one PDF."""

    needs_ocr: bool
    pages: int
    image_pages: int
    total_chars: int


def ocr_need(characters_by_page: Sequence[int] | None) -> OcrNeed:
    """Decide whether a PDF needs OCR from the number of its non-blank characters page by page.

    A page with fewer than 50 is an image page; from half of the pages on, the file needs OCR. What can't be read (None) or has
    no page needs it too: storing it as text would store nothing.

    >>> ocr_need([300, 0]).needs_ocr, ocr_need([300, 300, 0]).needs_ocr, ocr_need(None).needs_ocr
    (True, False, True)
    """
    if not characters_by_page:
        return OcrNeed(needs_ocr=True, pages=0, image_pages=0, total_chars=0)
    images = sum(count < IMAGE_PAGE_CHARACTERS for count in characters_by_page)
    share = images / len(characters_by_page)
    return OcrNeed(share >= IMAGE_PAGE_SHARE, len(characters_by_page), images, sum(characters_by_page))


def page_kind(text: str, *, has_ink: bool, has_pictures: bool = True) -> str:
    """Say what a page's text layer is: `native`, `gibberish`, `empty` (no ink) or `needs_ocr`.

    Args:
        text: the text layer of the page.
        has_ink: whether anything is to be seen on the page.
        has_pictures: whether pictures cover a part of it; a page of few words without pictures is native.
    """
    characters = count_characters(text)
    if is_gibberish(text):
        return "gibberish"
    if not has_ink and characters == 0:
        return "empty"
    if characters == 0 or (characters < IMAGE_PAGE_CHARACTERS and has_pictures):
        return "needs_ocr"
    return "native"


def count_characters(text: str) -> int:
    """Count the characters that are not blank."""
    return sum(not sign.isspace() for sign in text)


def is_gibberish(text: str) -> bool:
    """Tell whether a text layer is no text: glyph names, private or undefined signs, or letters that form no words.

    Fonts without a map to Unicode give such layers; their pages need OCR. Short texts get the benefit of the doubt.

    >>> is_gibberish("/g37/g72/g3/g47 (cid:12)(cid:7)(cid:9) /g81/g88"), is_gibberish("The cell fires at 5 Hz.")
    (True, False)
    """
    signs = [sign for sign in text if not sign.isspace()]
    if len(signs) < 20:
        return bool(signs) and _share_of_names(text, len(signs)) > 0.5
    if _share_of_names(text, len(signs)) > 0.3 or _share_of_odd_signs(signs) > 0.2:
        return True
    return _is_no_language(text)


def format_report(needs: Iterable[tuple[str, OcrNeed]]) -> str:
    """Write the pre-check of several PDFs as text: the counts first, then each file that needs OCR."""
    rows = list(needs)
    scanned = [(name, need) for name, need in rows if need.needs_ocr]
    lines = [f"{len(rows)} PDFs: {len(scanned)} need OCR, {len(rows) - len(scanned)} are text-based"]
    lines += [
        f"  {name}: {need.image_pages} of {need.pages} pages without text" if need.pages else f"  {name}: no page can be read"
        for name, need in scanned
    ]
    return "\n".join(lines)


def _share_of_names(text: str, total: int) -> float:
    return sum(len(found.group()) for found in _GLYPH_NAME.finditer(text)) / total


def _share_of_odd_signs(signs: list[str]) -> float:
    odd = sum(unicodedata.category(sign) in {"Co", "Cn", "Cc", "Cs"} or sign == "\ufffd" for sign in signs)
    return odd / len(signs)


def _is_no_language(text: str) -> bool:
    """In Latin, Greek and Cyrillic a third of the letters and more are vowels; a shifted encoding has few."""
    letters = [sign for sign in unicodedata.normalize("NFD", text.lower()) if sign.isalpha() and ord(sign) < _LAST_CYRILLIC]
    if len(letters) < 120:
        return _mostly_punctuation(text)
    return sum(letter in _VOWELS for letter in letters) / len(letters) < 0.22


def _mostly_punctuation(text: str) -> bool:
    signs = [sign for sign in text if not sign.isspace()]
    marks = sum(unicodedata.category(sign)[0] in "PS" for sign in signs)
    return len(signs) >= 100 and marks / len(signs) > 0.6 and len(set(signs)) > 12
