"""One record of several services' records, field by field, with who said what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from corpus.core.works.work import Related, Work

PREFERENCE: Final = ("crossref", "datacite", "openalex", "semantic-scholar", "unpaywall")
ENOUGH: Final = ("title", "author", "issued", "container-title")


def merge(works: Sequence[Work]) -> tuple[dict[str, Any], dict[str, str]]:
    """Merge records of the same DOI.

    Args:
        works: in any order; a field comes from the service that stands first in PREFERENCE and has it.

    Returns:
        The CSL item, and for each of its fields the service that said it.
    """
    csl: dict[str, Any] = {}
    said_by: dict[str, str] = {}
    for work in sorted(works, key=_preference):
        for field, value in work.csl.items():
            if field not in csl:
                csl[field] = value
                said_by[field] = work.service
    return csl, said_by


def is_enough(works: Sequence[Work]) -> bool:
    """Tell whether no further service need be asked: title, authors, date and container are known.

    A work that can't have a container (a book, a thesis, a data set, a preprint) is enough without.
    """
    csl, _ = merge(works)
    needed = ENOUGH if csl.get("type") in {"article-journal", "paper-conference", "chapter", None} else ENOUGH[:3]
    return all(field in csl for field in needed)


def related(works: Sequence[Work]) -> tuple[Related, ...]:
    """Return the links that any of the records holds, each once."""
    return tuple(dict.fromkeys(link for work in works for link in work.related))


def retracted(works: Sequence[Work]) -> bool:
    """Tell whether any service marks the work as retracted."""
    return any(work.retracted for work in works)


def _preference(work: Work) -> int:
    return PREFERENCE.index(work.service) if work.service in PREFERENCE else len(PREFERENCE)
