"""How alike the tags of a question and of a chunk are."""

from __future__ import annotations

import math
from collections.abc import Mapping


def tag_likeness(question: Mapping[str, float], chunk: object) -> float:
    """Return the cosine of two weighted tag sets, 0..1; anything that is no set of weights has nothing in common with it.

    >>> tag_likeness({"apple": 1}, {"apple": 2.0}), tag_likeness({"apple": 1}, "{broken")
    (1.0, 0.0)
    """
    one, other = _weights(question), _weights(chunk)
    length = math.sqrt(math.fsum(weight**2 for weight in one.values()) * math.fsum(weight**2 for weight in other.values()))
    if length == 0:
        return 0.0
    return min(1.0, math.fsum(weight * other.get(tag, 0.0) for tag, weight in one.items()) / length)


def _weights(given: object) -> dict[str, float]:
    if not isinstance(given, Mapping):
        return {}
    return {
        str(tag): float(weight)
        for tag, weight in given.items()
        if isinstance(weight, int | float) and not isinstance(weight, bool) and 0 < weight < math.inf
    }
