"""What a turn may cost, and what of the evidence fits into a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

T = TypeVar("T")

SAFETY: Final = 0.95
"""Part of a model's context that a prompt may fill, since tokens are counted by estimate."""


class QuestionTooLong(ValueError):  # noqa: N818 -- read as a sentence
    """The question and the instructions alone don't fit."""

    retryable = False
    advice = "Shorten the question, or choose a model with a larger context."


@dataclass(frozen=True)
class Fitted(Generic[T]):
    """What fits, in the order given, and what was left out, weakest first."""

    kept: tuple[T, ...]
    dropped: tuple[T, ...] = ()


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text without its model's tokenizer: a little too many rather than too few.

    >>> estimated_tokens("The channel opens."), estimated_tokens("钙通道")
    (6, 6)
    """
    narrow = sum(1 for sign in text if ord(sign) < 0x2E80)
    return -(-narrow // 3) + 2 * (len(text) - narrow)


def fit(
    sources: Sequence[T], *, fixed: int, most: int, cost: Callable[[T], int], strength: Callable[[T], float] | None = None
) -> Fitted[T]:
    """Keep whole sources within a budget; the weakest go first. Question and instructions are never cut.

    Args:
        sources: in the order of the prompt.
        fixed: tokens of instructions, question and history.
        most: tokens of the whole prompt.
        cost: tokens of a source.
        strength: how much a source is worth; by default those further back are weaker.

    Raises:
        QuestionTooLong: not even the fixed part fits.

    >>> fit(["aaaa", "bb", "c"], fixed=4, most=10, cost=len)
    Fitted(kept=('aaaa', 'bb'), dropped=('c',))
    """
    if fixed > most:
        raise QuestionTooLong(f"The question and its instructions take {fixed} tokens; the model reads {most}.")
    places = range(len(sources))
    weakest = sorted(places, key=lambda place: (strength(sources[place]) if strength else 0.0, -place))
    used = fixed + sum(cost(source) for source in sources)
    dropped: list[int] = []
    for place in weakest:
        if used <= most:
            break
        used -= cost(sources[place])
        dropped.append(place)
    gone = set(dropped)
    return Fitted(tuple(sources[place] for place in places if place not in gone), tuple(sources[place] for place in dropped))


@dataclass(frozen=True)
class TurnBudget:
    """What a turn may cost, and what it has cost."""

    calls: int
    tokens: int
    seconds: float
    calls_made: int = 0
    tokens_used: int = 0
    seconds_used: float = 0.0

    def after(self, *, calls: int = 0, tokens: int = 0, seconds: float | None = None) -> TurnBudget:
        """Return the budget after a call; `seconds` is the time of the turn so far."""
        return replace(
            self,
            calls_made=self.calls_made + calls,
            tokens_used=self.tokens_used + tokens,
            seconds_used=self.seconds_used if seconds is None else seconds,
        )

    @property
    def exhausted_by(self) -> str:
        """What is used up, for a reader; empty if nothing is.

        >>> TurnBudget(2, 100, 60).after(calls=2).exhausted_by
        '2 model calls'
        """
        if self.calls_made >= self.calls:
            return f"{self.calls} model calls"
        if self.tokens_used >= self.tokens:
            return f"{self.tokens} tokens"
        if self.seconds_used >= self.seconds:
            return f"{self.seconds:g} seconds"
        return ""

    def allows_round(self, *, calls: int, seconds: float) -> bool:
        """Tell whether a further round is within the budget.

        Args:
            calls: that the round makes.
            seconds: that the last one took.
        """
        return not self.exhausted_by and self.calls_made + calls <= self.calls and self.seconds_used + seconds <= self.seconds
