"""What text looks like once it is held: one normalisation for chunks, headings, map keys, metadata and questions."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0100-\U000e01ef]"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_BREAK = re.compile("[\u00a0\u2007\u202f]")
_RUN = re.compile(r"[ \t]{2,}")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")

_HYPHENS = "-\u2010\u2011"
_BROKEN_WORD = re.compile(rf"(?P<first>[^\W\d_]+)[{_HYPHENS}][ \t]*\n[ \t]*(?P<rest>[^\W\d_]+)")
_SOFT_BROKEN = re.compile("\u00ad[ \t]*\n[ \t]*")
_LEADERS = re.compile(r"(?:[ \t]*[.·•…_‥․]){4,}[ \t]*|[ \t]*…{2,}[ \t]*")
_KEEPS_HYPHEN = frozenset({"self", "well", "ex", "all", "non", "high", "low", "long", "short", "half", "state", "anti"})

_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t",
        "’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-",
        "—": "-", "−": "-",
    }
)  # fmt: skip


def normalize_text(text: str) -> str:
    r"""Bring text to its one plain form: what is searched, compared and matched.

    Soft hyphens, marks of direction, zero-width signs and control characters (NUL, lone surrogates) go, no-break spaces become
    spaces, compatibility forms are folded (NFKC), runs of blanks become one. Line breaks and dashes stay. Applying it twice
    changes nothing.

    >>> normalize_text("Multi-\u00adscale\u00a0Model\u00ading")
    'Multi-scale Modeling'
    """
    storable = remove_unstorable(text)
    if storable.isascii():  # nothing below would change it, and most text is
        return _RUN.sub(" ", storable).strip()
    visible = _INVISIBLE.sub("", storable)
    folded = unicodedata.normalize("NFKC", _NO_BREAK.sub(" ", visible))
    settled = unicodedata.normalize("NFKC", _INVISIBLE.sub("", folded))
    return _RUN.sub(" ", settled).strip()


def remove_unstorable(text: str) -> str:
    """Remove what neither JSON nor PostgreSQL holds: NUL, other control characters, lone surrogates; line ends become LF.

    A surrogate pair that was written as two halves becomes its one character.
    """
    whole = _PAIR.sub(lambda pair: pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
    return _CONTROL.sub("", _LINE_END.sub("\n", _SURROGATE.sub("", whole)))


def join_broken_words(text: str) -> str:
    r"""Join words that a hyphen cuts at the end of a line.

    The hyphen goes, unless the text elsewhere writes the word with it, the second part has a capital, or the first part is
    one that keeps its hyphen (self-, well-, non-).

    >>> join_broken_words("informa-\ntion of well-\nknown Hodgkin-\nHuxley")
    'information of well-known Hodgkin-Huxley'
    """
    joined = _SOFT_BROKEN.sub("", text)

    def join(found: re.Match[str]) -> str:
        first, rest = found["first"], found["rest"]
        keeps = not rest[0].islower() or first.lower() in _KEEPS_HYPHEN or _written_with_hyphen(joined, first, rest)
        return f"{first}-{rest}" if keeps else first + rest

    return _BROKEN_WORD.sub(join, joined)


def remove_dot_leaders(text: str) -> str:
    """Replace the dots that lead to a page number by one space.

    >>> remove_dot_leaders("1.2 Methods ........... 17")
    '1.2 Methods 17'
    """
    return "\n".join(_LEADERS.sub(" ", line).strip() for line in text.split("\n")) if _LEADERS.search(text) else text


def repair_text(text: str) -> str:
    """Bring text as a converter gives it to plain form: broken words joined, dot leaders gone, then `normalize_text`."""
    return normalize_text(remove_dot_leaders(join_broken_words(remove_unstorable(text))))


def fold(text: str) -> str:
    """Fold case and diacritics, so that spellings of one word compare equal; dashes and quotes become ASCII ones.

    >>> fold("Bóris GARCÍA–Løvås, Weiß")
    'boris garcia-lovas, weiss'
    """
    plain = normalize_text(text).casefold().translate(_LETTERS)
    if plain.isascii():
        return plain
    bare = _NOT_ASCII.sub(_without_marks, plain)
    return normalize_text(bare).casefold()


def _without_marks(found: re.Match[str]) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", found.group()) if not unicodedata.combining(sign))


def words_of(text: str) -> list[str]:
    """Return the folded words of a text: runs of letters and digits, in order.

    >>> words_of("The Na⁺/K⁺-ATPase: a model")
    ['the', 'na', 'k', 'atpase', 'a', 'model']
    """
    return re.findall(r"[^\W_]+", fold(text))


def _written_with_hyphen(text: str, first: str, rest: str) -> bool:
    pattern = rf"\b{re.escape(first)}[{_HYPHENS}]{re.escape(rest)}\b"
    return re.search(pattern, text, re.IGNORECASE) is not None
