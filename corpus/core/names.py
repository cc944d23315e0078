"""Names of people: taken apart, shown, sorted, compared, and made findable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from corpus.core.text import fold, normalize_text

_PARTICLES = """
af al 'al aan aus'm ben bin d' da dal dalla das de degli dei del della den der des di do dos du e el in 't het la las le les
lo los op san st. ten ter thor ur van vande vander vom von vd y zu zum zur
"""
_DEGREES = """
phd ph.d md m.d msc m.sc bsc b.sc ma mph dphil d.phil mbbs frcp facp mba dvm pharmd rn dds scd edd dsc drph mpharm ms prof
professor dr mr mrs ing dipl.-ing msph mrcp frs frcs fmedsci mbchb habil
"""
PARTICLES = frozenset(_PARTICLES.split())
DEGREES = frozenset(_DEGREES.split())
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "v", "2nd", "3rd", "4th", "junior", "senior", "filho", "neto", "júnior"})
_COLLECTIVE = re.compile(
    r"\b(consorti(?:um|a)|collaborat(?:ion|ors|ive)|group|team|network|committee|project|initiative|investigators|society|association|"
    r"institute|university|foundation|organi[sz]ation|commission|council|ministry|department|centre|center|agency|program(?:me)?|"
    r"working party|task force|laborator(?:y|ies))\b",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[- ]?){1,4}")
_CAPITALS_ONLY = re.compile(r"[^\W\d_]{1,3}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True)
class PersonName:
    """A name in CSL's parts. A group has only `literal`; for a person `family` is never empty.

    `particle` is the part before the family name that does not sort ("van der", "de la"); `suffix` is Jr., III.
    """

    family: str = ""
    given: str = ""
    particle: str = ""
    suffix: str = ""
    literal: str = ""

    @property
    def full_family(self) -> str:
        """The family name with its particle; a group's name."""
        return self.literal or " ".join(filter(None, (self.particle, self.family)))

    @property
    def initials(self) -> str:
        """The initials of the given names, as in "J. R."; empty for a group."""
        return " ".join(f"{part[0].upper()}." for part in re.split(r"[\s.\-‐]+", self.given) if part)

    def display(self) -> str:
        """Write the name as it is read: given names first.

        >>> parse_name("van der Berg, Jan, Jr.").display()
        'Jan van der Berg Jr.'
        """
        return " ".join(filter(None, (self.given, self.full_family, self.suffix)))

    def inverted(self) -> str:
        """Write the name as a list of authors sorts it: "van der Berg, Jan, Jr."."""
        if self.literal:
            return self.literal
        return ", ".join(filter(None, (self.full_family, self.given, self.suffix)))

    def sort_key(self) -> tuple[str, str, str]:
        """Return the key under which the name sorts: family without particle, given, particle, all folded."""
        return fold(self.literal or self.family), fold(self.given), fold(self.particle)


def parse_name(text: str) -> PersonName:
    """Take a written name apart: "Given Family", "Family, Given", "Family, Jr., Given" or "Family GJ".

    >>> parse_name("María de la Cruz García-López")
    PersonName(family='Cruz García-López', given='María', particle='de la', suffix='', literal='')
    >>> parse_name("Smith JA").given, parse_name("The ENCODE Consortium").literal
    ('JA', 'The ENCODE Consortium')
    """
    name = re.sub(r"\s+", " ", normalize_text(text)).strip(" ,;*†‡§¶")
    if not name or _is_group(name):
        return PersonName(literal=name)
    if _CJK.search(name):
        return _parse_cjk(name)
    parts = [part.strip() for part in name.split(",")]
    if len(parts) > 1:
        return _parse_inverted([part for part in parts if part and not _is_degree(part)], name)
    return _parse_direct([word for word in name.split(" ") if not _is_degree(word)], name)


def parse_names(texts: Iterable[object]) -> tuple[PersonName, ...]:
    """Take several written names apart; what is no text or is blank is left out."""
    return tuple(parse_name(text) for text in texts if isinstance(text, str) and text.strip())


def name_keys(name: PersonName) -> tuple[str, ...]:
    """Return the folded forms under which a person is looked for, without repetition, fullest first.

    Family name (with and without particle, and each part of a double name), given names, and both together in either order, in
    full and by initials. Compare with `query_key`.

    >>> {"garcia", "j garcia lopez", "garcia lopez"} <= set(name_keys(parse_name("Juan García-López")))
    True
    """
    if name.literal:
        return tuple(dict.fromkeys([query_key(name.literal), *query_key(name.literal).split()]))
    given, family, full = query_key(name.given), query_key(name.family), query_key(name.full_family)
    firsts = list(dict.fromkeys(filter(None, (given, *_shorter_givens(given), *_initial_forms(name)))))
    lasts = list(dict.fromkeys(filter(None, (full, family, *(family.split() if " " in family else ()), family.replace(" ", "")))))
    pairs = [form for first in firsts for last in lasts for form in (f"{first} {last}", f"{last} {first}")]
    words = [word for word in given.split() if len(word) > 1]
    return tuple(dict.fromkeys([*pairs, *lasts, *firsts[:1], *words]))


def query_key(text: str) -> str:
    """Fold what a person types as a name into the form of `name_keys`.

    >>> query_key("J. Garcia-Lopez"), query_key("O'Neil,  R.")
    ('j garcia lopez', 'oneil r')
    """
    return " ".join(re.sub(r"[^\w\s]|_", " ", fold(text).replace("'", "")).split())


def name_matches(query: str, name: PersonName) -> bool:
    """Tell whether what somebody typed names this person."""
    return query_key(query) in name_keys(name)


def same_person(one: PersonName, other: PersonName) -> bool:
    """Tell whether two written names can be one person: same family name, given names that don't contradict each other.

    >>> same_person(parse_name("Sinha, A."), parse_name("Ankur Sinha"))
    True
    """
    if bool(one.literal) != bool(other.literal):
        return False
    if one.literal:
        return query_key(one.literal) == query_key(other.literal)
    if not same_family(one, other):
        return False
    firsts, others = query_key(one.given).split(), query_key(other.given).split()
    return all(_agrees(a, b) for a, b in zip(firsts, others, strict=False))


def same_family(one: PersonName, other: PersonName) -> bool:
    """Tell whether the family names agree, whatever the case, diacritics, hyphens and particles."""
    return bool(_family_forms(one) & _family_forms(other))


def expand_person_names(names: Iterable[object]) -> list[str]:
    """Add to each name its lower case, its words and their lower case (the form that exports of older stores hold).

    First appearance decides the order; nothing comes twice; what is no text is left out. Expanding twice changes nothing.

    >>> expand_person_names(["Ankur Sinha"])
    ['Ankur Sinha', 'ankur sinha', 'Ankur', 'Sinha', 'ankur', 'sinha']
    """
    found: dict[str, None] = {}
    for name in names:
        if isinstance(name, str) and name:
            words = name.split()
            found |= dict.fromkeys([name, name.lower(), *words, *(word.lower() for word in words)])
    return list(found)


def display_person_names(names: Iterable[object]) -> list[str]:
    """Take the variants of `expand_person_names` out again: all-lower-case entries, and words of a longer entry.

    >>> display_person_names(["Ankur Sinha", "ankur sinha", "Sinha"])
    ['Ankur Sinha']
    """
    texts = [name for name in names if isinstance(name, str)]
    parts = {word for name in texts if len(words := name.split()) > 1 for word in words}
    return [name for name in texts if name != name.lower() and name not in parts]


def _is_group(name: str) -> bool:
    return bool(_COLLECTIVE.search(name)) and "," not in name.strip(",")


def _is_degree(part: str) -> bool:
    return part.casefold().rstrip(".") in DEGREES or part.casefold() in DEGREES


def _is_suffix(part: str) -> bool:
    return part.casefold().rstrip(".") in SUFFIXES


def _is_initials(part: str) -> bool:
    return _CAPITALS_ONLY.fullmatch(part) is not None and part == part.upper() and part.lower() != part


def _parse_cjk(name: str) -> PersonName:
    family, _, given = name.partition(" ")
    return PersonName(family=family, given=given)


def _parse_inverted(parts: list[str], name: str) -> PersonName:
    if not parts:
        return PersonName(literal=name)
    family, *others = parts
    suffix = next((part for part in others if _is_suffix(part)), "")
    given = " ".join(part for part in others if part != suffix)
    if not given:
        direct = _parse_direct(family.split(" "), family)
        return PersonName(direct.family, direct.given, direct.particle, suffix, direct.literal)
    particle, family = _split_particle(family.split(" "))
    given_words = given.split(" ")
    trailing = _trailing_particle(given_words)
    if trailing and not particle:
        particle, given_words = " ".join(trailing), given_words[: -len(trailing)]
    return PersonName(family, " ".join(given_words), particle, suffix)


def _parse_direct(words: list[str], name: str) -> PersonName:
    suffix = ""
    if len(words) > 2 and _is_suffix(words[-1]) and not _is_initials_of(words):
        *words, suffix = words
    if not words:
        return PersonName(literal=name)
    if len(words) == 1:
        return PersonName(family=words[0], suffix=suffix)
    if _is_initials(words[-1]) and all(len(word.strip(".")) > 1 for word in words[:-1]):
        particle, family = _split_particle(words[:-1])
        return PersonName(family, words[-1], particle, suffix)
    start = _family_start(words)
    particle, family = _split_particle(words[start:])
    return PersonName(family, " ".join(words[:start]), particle, suffix)


def _is_initials_of(words: list[str]) -> bool:
    """Tell whether a last "V" is an initial after a family name (Smith V) and not the fifth."""
    return len(words) == 2 and _is_initials(words[-1])


def _family_start(words: list[str]) -> int:
    """Return where the family name begins: at the first particle after a given name, else at the last word."""
    for place in range(1, len(words) - 1):
        if words[place].lower() in PARTICLES and (
            words[place].islower() or words[place].lower() in {"van", "von", "de", "del", "der"}
        ):
            return place
    return len(words) - 1


def _split_particle(words: list[str]) -> tuple[str, str]:
    place = 0
    while place < len(words) - 1 and words[place].lower() in PARTICLES and (words[place].islower() or place < len(words) - 1):
        place += 1
    return " ".join(words[:place]), " ".join(words[place:])


def _trailing_particle(words: list[str]) -> list[str]:
    place = len(words)
    while place > 1 and words[place - 1] in PARTICLES:
        place -= 1
    return words[place:]


def _initial_forms(name: PersonName) -> tuple[str, ...]:
    letters = query_key(name.initials).split()
    if not letters and _is_initials(name.given):
        letters = list(query_key(name.given))
    if len(letters) == 1 and _is_initials(name.given) and len(name.given) > 1:
        letters = list(query_key(name.given))
    return (" ".join(letters), "".join(letters), letters[0]) if letters else ()


def _shorter_givens(given: str) -> tuple[str, ...]:
    words = given.split()
    if len(words) < 2:
        return ()
    return words[0], " ".join([words[0], *(word[0] for word in words[1:])])


def _family_forms(name: PersonName) -> set[str]:
    full, family = query_key(name.full_family), query_key(name.family)
    return {form for form in (full, family, full.replace(" ", ""), family.replace(" ", "")) if form}


def _agrees(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) if len(short) == 1 else (short == long or (len(short) <= 3 and long[0] == short[0]))
