"""Lists of names as BibTeX writes them: "Family, Jr., Given and {The Group}"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corpus.core.names import PARTICLES, PersonName, parse_name
from corpus.core.serialisation.latex_text import latex_of, plain_of


def read_names(latex: str) -> tuple[PersonName, ...]:
    """Read a list of names joined by "and"; what stands in braces is a group, "others" is left out."""
    parts = _split(re.sub(r"\s+", " ", latex), " and ")
    return tuple(_read_one(part.strip()) for part in parts if part.strip() and part.strip().lower() != "others")


def write_names(names: Iterable[PersonName]) -> str:
    """Write names so that `read_names` gives them again."""
    return " and ".join(_write_one(name) for name in names)


def _read_one(latex: str) -> PersonName:
    if re.fullmatch(r"\{.*\}", latex) and _is_one_group(latex):
        return PersonName(literal=plain_of(latex))
    parts = [plain_of(part) for part in _split(latex, ",")]
    if len(parts) == 1:
        return parse_name(parts[0])
    family, suffix, given = (parts[0], "", parts[1]) if len(parts) == 2 else (parts[0], parts[1], ", ".join(parts[2:]))
    if not family:
        return parse_name(given)
    words = family.split(" ")
    place = 0
    while place < len(words) - 1 and words[place].lower() in PARTICLES:
        place += 1
    return PersonName(" ".join(words[place:]), given, " ".join(words[:place]), suffix)


def _write_one(name: PersonName) -> str:
    if name.literal:
        return "{" + latex_of(name.literal) + "}"
    family = " ".join(filter(None, (name.particle, _protected(name.family))))
    if name.suffix:
        return f"{family}, {_protected(name.suffix)}, {_protected(name.given)}"
    return f"{family}, {_protected(name.given)}"


def _protected(text: str) -> str:
    """Put braces around what would be taken apart."""
    latex = latex_of(text)
    return f"{{{{{latex}}}}}" if "," in text or " and " in f" {text} ".lower() else latex


def _is_one_group(latex: str) -> bool:
    """Tell whether the first brace is closed by the last one only."""
    depth = 0
    for place, sign in enumerate(latex):
        depth += (sign == "{" and latex[place - 1 : place] != "\\") - (sign == "}" and latex[place - 1 : place] != "\\")
        if depth == 0:
            return place == len(latex) - 1
    return False


def _split(text: str, separator: str) -> list[str]:
    """Split at a separator that stands outside braces, in any case of its letters."""
    parts, depth, start, place = [], 0, 0, 0
    while place < len(text):
        sign = text[place]
        if sign == "\\":
            place += 2
            continue
        depth += (sign == "{") - (sign == "}")
        if depth <= 0 and text[place : place + len(separator)].lower() == separator:
            parts.append(text[start:place])
            start = place + len(separator)
            place = start - 1 if separator.endswith(" ") else start
            continue
        place += 1
    return [*parts, text[start:]]
