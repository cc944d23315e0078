"""Preference for newer work among passages that fit alike."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.core.hit import Hit, Run

_UNKNOWN: float = 0.5
_FAR: float = 3.0


def blend_recency(run: Run, years: Mapping[int, int | None], *, weight: float, robust: bool = True) -> Run:
    """Mix each hit's score with how new its work is: (1 - weight) * relevance + weight * newness.

    Both are scaled to 0..1 within the run; a single distinct score or year counts 1, an unknown year 0.5. Equal hits keep their
    order.

    Args:
        run: hits of one domain.
        years: chunk to year of publication.
        weight: 0 (only relevance) to 1.
        robust: years far outside of the middle half are drawn in, so that one old work doesn't make all others equally new.

    >>> from retrieval.core.hit import Hit
    >>> [hit.chunk_id for hit in blend_recency((Hit(1, 0.9), Hit(2, 0.8)), {1: 1990, 2: 2024}, weight=0.6)]
    [2, 1]
    """
    if not run or weight <= 0:
        return run
    relevance = _scaled({hit.chunk_id: hit.score for hit in run})
    known = {hit.chunk_id: float(year) for hit in run if (year := years.get(hit.chunk_id)) is not None}
    newness = _scaled(_drawn_in(known) if robust else known)
    mixed = [
        Hit(hit.chunk_id, (1 - weight) * relevance[hit.chunk_id] + weight * newness.get(hit.chunk_id, _UNKNOWN)) for hit in run
    ]
    return tuple(sorted(mixed, key=lambda hit: -hit.score))


def falling(run: Run, scores: Mapping[int, float]) -> Run:
    """Return the run with other scores, raised where they would rise along it: no hit scores less than one after it.

    >>> from retrieval.core.hit import Hit
    >>> [hit.score for hit in falling((Hit(1, 3.0), Hit(2, 2.0), Hit(3, 1.0)), {1: 0.5, 2: 0.8, 3: 0.2})]
    [0.8, 0.8, 0.2]
    """
    raised: list[Hit] = []
    highest = float("-inf")
    for hit in reversed(run):
        highest = max(highest, scores[hit.chunk_id])
        raised.append(Hit(hit.chunk_id, highest))
    return tuple(reversed(raised))


def year_of(metadata: Mapping[str, object]) -> int | None:
    """Return the year of publication, if it is a whole number."""
    year = metadata.get("year")
    return year if isinstance(year, int) and not isinstance(year, bool) else None


def _scaled(values: dict[int, float]) -> dict[int, float]:
    if not values:
        return {}
    low, high = min(values.values()), max(values.values())
    return {key: (value - low) / (high - low) if high > low else 1.0 for key, value in values.items()}


def _drawn_in(years: dict[int, float]) -> dict[int, float]:
    """Limit years to three times the spread of the middle half, at least three years, beyond it."""
    if not years:
        return {}
    ordered = sorted(years.values())
    low, high = ordered[len(ordered) // 4], ordered[(3 * len(ordered)) // 4 if len(ordered) > 1 else 0]
    spread = max(high - low, 1.0) * _FAR
    return {key: min(max(year, low - spread), high + spread) for key, year in years.items()}
