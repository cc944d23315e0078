"""Take a printed list of authors apart into names: markers of affiliations off, separators found, titles dropped."""

from __future__ import annotations

import re

from corpus.core.names import DEGREES, PARTICLES, SUFFIXES
from corpus.core.text import normalize_text

_MARKS = re.compile(r"[*†‡§¶‖#⁎∗✝✉⇤⋆◦•∥⊥♯⁺$|^~¤ÃʈΩ□“”?]+|\[[\d,\s]*\]|\{[^}]*\}|\((?:[a-z]|\d{1,2}|[\d,\s]+|[*†‡§¶,\s]+)\)")
_NUMBERS = re.compile(
    r"(?<=[^\W\d_.])\d{1,2}(?:\s*[,;]\s*\d{1,2})*(?![\w])|(?<![\w])\d{1,2}(?:\s*[,;–-]\s*\d{1,2})*(?:st|nd)?(?![\w])"
)
_LETTER_MARKS = re.compile(r"(?<=[^\W\d_]{2})\s+[a-z](?:\s*,\s*[a-z])*(?=\s*(?:[,;&]|$|\band\b))")
_GLUED_MARK = re.compile(r"(?<=[a-zà-ÿ]{2}),(?:[a-z]|\d)(?:,(?:[a-z]|\d))*(?=\s*(?:[,;&]|$|\s(?:and|&)))")
_SPLIT = re.compile(r"\s*[;·]\s*|\s*,?\s+(?:and|und|et|y|e|og|och|&)\s+|\s+&\s+|\s*,\s*&\s*|\s*,\s*", re.IGNORECASE)
_LEADING = re.compile(r"^\s*(?:by|par|von|from|authors?\s*:?|and|&|presented by)\s+", re.IGNORECASE)
_TITLES = re.compile(r"^(?:(?:dr|prof|professor|mr|mrs|ms|dipl|ing|sir|pr)\b\.?-?\s*)+", re.IGNORECASE)
_MEMBER = re.compile(
    r",?\s*(?:(?:senior|student|life|graduate|associate)\s+)*(?:members?|fellows?)(?:\s*,\s*(?:ieee|acm|aiaa|siam))?|,\s*ieee\b",
    re.IGNORECASE,
)
_AND_OTHERS = re.compile(r"\bet\s+al\b\.?|\band others\b", re.IGNORECASE)
_CAPITALS = re.compile(r"[^\W\d_]{2,}")
_RUN_TOGETHER = re.compile(r"(?<=[^\W\d_]\.)(?=[^\W\d_][a-zà-ÿ]+)")
_ORCID = re.compile(r"(?<=[a-zà-ÿ])ID\b|\bID\b|\b(?:orcid|ORCID|ORCID iD)\b|\d{4}[-−–]\d{4}[-−–]\d{4}[-−–]\d{3}[\dX]")
_NO_NAME_ENDING = re.compile(
    r"^\w{3,}(?:tions?|ments?|ities|ity|icals?|ologies|ology|ness|isms?|ogens|ures|esses|etics|amics|istics|ating|izing|ising)$"
)
_SPACED = re.compile(r"\b(?:[^\W\d_] ){3,}[^\W\d_]\b")
_LOST_ACCENT = re.compile(r"\b([A-Z][a-z]{0,3}) ([a-z]{3,})\b")
_WORD = re.compile(r"[^\W\d_][\w'’.\-‐–`´]*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[-‐–\s]?){1,3}\.?")
_OTHER_WORDS = """
the of for with from in on at to by an using via between into toward towards under over based is are was were new model
models study analysis method methods system systems approach theory effect effects role review data cell cells human learning
network networks abstract introduction university institute department school center centre college laboratory hospital
division faculty program group research sciences science engineering technology street road avenue box usa uk germany france
china japan italy spain canada australia received accepted published journal volume press proceedings conference report
reports international national american european copyright author authors editor editors contents article letter letters
online available north south east west senior member ieee student fellow acm corresponding contributed equally co-first lab
labs island islands consulting diagnostics programme electronics genomics sci phys inst fac dept univ st str weg strasse
straße platz council cancer health medical clinic court building tower arabia kingdom states republic york francisco angeles
jersey carolina virginia mexico zealand hong kong africa korea city town county technologies industries solutions services
team corporation inc ltd gmbh bell museum park hill square unit units foundation
"""
_NOT_IN_NAMES = frozenset(_OTHER_WORDS.split())


def split_authors(text: str, common: frozenset[str] = frozenset()) -> list[str]:
    """Take a list of authors apart, in print order; what is no name is left out.

    >>> split_authors("Ronel Veksler, 1 Udi Vazana 1,2 and Lee E. Goldstein, M.D. 3*")
    ['Ronel Veksler', 'Udi Vazana', 'Lee E. Goldstein']
    """
    printed = [piece for piece in map(_tidy, _pieces(text)) if piece]
    pieces = [part for piece in printed for part in _unglued(piece, alone=len(printed) == 1)]
    return [tame_capitals(name) for name in pieces if looks_like_name(name) and not _is_common(name, common)]


def tame_capitals(name: str) -> str:
    """Write a name that is set in capitals as names are written; a family name in capitals goes last.

    >>> tame_capitals("ROBERT-LOUIS BROSSARD"), tame_capitals("MENG Wei"), tame_capitals("A. J. SMITH")
    ('Robert-Louis Brossard', 'Wei Meng', 'A. J. Smith')
    """
    words = name.split()
    shouted = [word for word in words if len(word) > 2 and "." not in word and word.isupper()]
    if not shouted:
        return name
    if len(words) == 2 and shouted == words[:1] and not words[1].isupper():
        words = words[::-1]
    return " ".join(_CAPITALS.sub(lambda run: run.group().capitalize(), word) if word in shouted else word for word in words)


def is_filler(text: str) -> bool:
    """Tell whether a line among authors holds only raised marks, commas or "and"."""
    return re.fullmatch(r"(?:[\W\d]|\b[a-z]{1,2}\b|\band\b|\bID\b|\bby\b)*", text.strip(), re.IGNORECASE) is not None


def is_cut(text: str) -> bool:
    """Tell whether a line of authors ends in the middle of a name: a lone word, an initial, no mark where others have one."""
    bare = text.rstrip()
    pieces = _pieces(text)
    if not pieces or re.search(r"[\d,;*&†‡§¶)]$|\b(?:and|und|et)$|(?<=[^\W\d_]{2}) [a-z]$", bare):
        return False
    last = _tidy(pieces[-1]).split()
    if not last:
        return False
    marked = len(re.findall(r"[^\W\d_]\.? ?\d{1,2}\b", bare)) >= 2
    return len(last) == 1 or _is_initials(last[-1]) or last[-1].lower() in PARTICLES or marked


def _unglued(piece: str, *, alone: bool) -> list[str]:
    """Take names apart that nothing separates: "Paul E. Debevec Camillo J. Taylor Jitendra Malik"."""
    words = piece.split()
    long = [word for word in words if not _is_initials(word) and word.lower() not in PARTICLES]
    if len(long) < (4 if alone else 5) or not all(_is_name_word(word) for word in words):
        return [piece]
    names: list[list[str]] = [[]]
    for word in words:
        complete = sum(not _is_initials(part) and part.lower() not in PARTICLES for part in names[-1]) >= 2
        if complete and word.casefold().strip(".") not in SUFFIXES:
            names.append([])
        names[-1].append(word)
    return [" ".join(name) for name in names] if len(names[-1]) > 1 else [piece]


def name_share(text: str, common: frozenset[str] = frozenset()) -> float:
    """Return how much of a line is names of people: 0 to 1, by words.

    Args:
        text: the line; a name that the line's start or end cuts doesn't count against it.
        common: words that the document also writes in small letters; a name has none of them.
    """
    pieces = [piece for piece in map(_tidy, _pieces(text)) if _WORD.search(piece)]
    names = [looks_like_name(piece) and not _is_common(piece, common) for piece in pieces]
    if sum(names) >= 2:
        while not names[-1] and len(pieces[-1].split()) == 1:
            pieces, names = pieces[:-1], names[:-1]
        if not names[0] and len(pieces[0].split()) == 1:
            pieces, names = pieces[1:], names[1:]
    total = sum(len(piece.split()) for piece in pieces)
    return sum(len(piece.split()) for piece, named in zip(pieces, names, strict=True) if named) / total if total else 0.0


def _is_common(name: str, common: frozenset[str]) -> bool:
    words = [word.lower() for word in name.split() if len(word.strip(".")) > 2 and word.lower() not in PARTICLES]
    return sum(word in common for word in words) * 2 >= len(words) > 0


def looks_like_name(name: str) -> bool:
    """Tell whether a text can be one person's name: two to six words, capitals or initials, no word of a title or address."""
    words = name.split()
    if not 2 <= len(words) <= 6 or len(name) > 45 or re.search(r"\d|[:;!?()/\\@]", name):
        return False
    if any(word.casefold().strip(".") in _NOT_IN_NAMES for word in words):
        return False
    if not all(_is_name_word(word) and not _NO_NAME_ENDING.match(word.lower()) for word in words):
        return False
    long = [word for word in words if len(word.strip(".-")) > 1 and word.lower() not in PARTICLES and not _is_initials(word)]
    return bool(long) and len(long) <= 4 and words[-1].lower() not in PARTICLES


def _pieces(text: str) -> list[str]:
    text = _SPACED.sub(lambda run: run.group().replace(" ", ""), re.sub(r"(?<=\b[^\W\d_]) \.", ".", text))
    text = _LOST_ACCENT.sub(_rejoin_word, text)
    cleaned = _LEADING.sub("", _MEMBER.sub("", _AND_OTHERS.sub("", normalize_text(text.replace("\n", " ")))))
    cleaned = _GLUED_MARK.sub("", _RUN_TOGETHER.sub(" ", _ORCID.sub(" ", cleaned)))
    cleaned = _LETTER_MARKS.sub("", cleaned)
    cleaned = _NUMBERS.sub(", ", _MARKS.sub(", ", cleaned))
    return _rejoin_inverted(
        [piece.strip(" .,-–:") + ("." if re.search(r"\b[A-Z]\.$", piece.strip()) else "") for piece in _SPLIT.split(cleaned)]
    )


def _rejoin_word(found: re.Match[str]) -> str:
    """Put a name together whose accented letter was lost: "Gr unwald" was Grünwald."""
    keeps = found[2] in PARTICLES or found[2] in {"and", "und"}
    return found.group() if keeps else found[1] + found[2]


def _rejoin_inverted(pieces: list[str]) -> list[str]:
    """Put "Family, G. H." together again where a list is written that way; drop degrees and suffixes that stand alone."""
    kept: list[str] = []
    singles = [piece for piece in pieces if piece]
    for piece in singles:
        if piece.casefold().strip(".") in SUFFIXES and kept:
            kept[-1] = f"{kept[-1]} {piece}"
        elif _is_degree(piece):
            continue
        elif kept and _is_initials(piece) and len(kept[-1].split()) <= 2 and not re.search(r"\.", kept[-1]):
            kept[-1] = f"{piece} {kept[-1]}"
        else:
            kept.append(piece)
    return kept


def _tidy(piece: str) -> str:
    name = _TITLES.sub("", piece).strip(" ,;:-–'’")
    words = [word for word in name.split() if not _is_degree(word)]
    while len(words) > 2 and _is_mark(words[-1]):
        words.pop()
    while len(words) > 2 and _is_mark(words[0]):
        words.pop(0)
    return " ".join(words)


def _is_mark(word: str) -> bool:
    """Tell whether a word is a raised letter or two that lost its place: "a", "bc", "a)"."""
    return re.fullmatch(r"[a-z]{1,2}\)?|\W+", word) is not None and word not in PARTICLES


def _is_degree(word: str) -> bool:
    bare = word.casefold().replace(".", "").replace(" ", "").strip(",")
    return bare in {degree.replace(".", "") for degree in DEGREES} - {"ma", "ms"} and (
        word.isupper() or "." in word or len(bare) > 2
    )


def _is_initials(word: str) -> bool:
    return _INITIALS.fullmatch(word) is not None and word == word.upper() and len(word.replace(".", "").replace(" ", "")) <= 4


def _is_name_word(word: str) -> bool:
    if word.lower() in PARTICLES or word.casefold().strip(".") in SUFFIXES:
        return True
    if not _WORD.fullmatch(word):
        return False
    return word[0].isupper() or word[0].lower() == word[0].upper() or (word[:2] in {"d'", "l'", "d’", "al", "el", "de", "mc"})
