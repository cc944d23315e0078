"""Is proposed metadata right? The comparisons that figures of accuracy rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from corpus.core.identifiers import doi_key
from corpus.core.names import parse_name, query_key
from corpus.core.text import fold

TITLE_LIKENESS = 0.9


def title_is_right(found: str, true_titles: Iterable[str]) -> bool:
    """Tell whether a title is a true one: letters and digits alone count, one in ten may differ (ligatures, formulas)."""
    letters = _letters(found)
    truths = [_letters(title) for title in true_titles]
    truths.append("".join(truths))
    return bool(letters) and any(
        letters == truth or SequenceMatcher(None, letters, truth, autojunk=False).ratio() > TITLE_LIKENESS for truth in truths
    )


def authors_are_right(found: Sequence[str], true_authors: Sequence[str]) -> bool:
    """Tell whether the family names are the true ones, all of them, in their order; repetitions don't count."""
    return family_names(found) == family_names(true_authors)


def family_names(names: Iterable[str]) -> list[str]:
    """Return the folded family names in order, each once."""
    return list(dict.fromkeys(query_key(parse_name(name).full_family) for name in names if name.strip()))


def doi_is_right(found: str, true_dois: Iterable[str]) -> bool:
    """Tell whether a DOI is one of the true ones, whatever its case and wrapping."""
    return bool(found) and doi_key(found) in {doi_key(doi) for doi in true_dois}


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", fold(text))
