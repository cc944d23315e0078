"""How deep a store is searched in each round of a turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Depth:
    """A store's first depth, the most of any round, and the growth from round to round."""

    default_k: int
    k_max: int
    k_inc: int

    def grown(self, k: int) -> int:
        """Return the next depth after `k`; the same if the step would pass `k_max`. It is never cut to it."""
        return k + self.k_inc if self.can_grow(k) else k

    def can_grow(self, k: int) -> bool:
        """Tell whether a further step stays within `k_max`."""
        return k + self.k_inc <= self.k_max

    def at(self, rounds: int) -> int:
        """Return k in a round, counted from 0.

        >>> [Depth(8, 18, 5).at(rounds) for rounds in range(4)]
        [8, 13, 18, 18]
        """
        k = self.default_k
        for _ in range(rounds):
            k = self.grown(k)
        return k
