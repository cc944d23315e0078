"""How deep a store is searched in each round of a turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Depth:
    """A store's first depth, the most of any round, and the growth from round to round."""

    default_k: int
    k_max: int
    k_inc: int

    def at(self, rounds: int) -> int:
        """Return k in a round, counted from 0. It grows only while the next step stays within `k_max`; it is never cut to it.

        >>> [Depth(8, 18, 5).at(rounds) for rounds in range(4)]
        [8, 13, 18, 18]
        """
        k = self.default_k
        for _ in range(rounds):
            if k + self.k_inc > self.k_max:
                return k
            k += self.k_inc
        return k
