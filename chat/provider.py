"""The contract of a provider: a language-model service, or a stand-in that needs none.

A call carries the prompt, for providers that read one, and the same request as data (`task`), for providers that work
without a language model. Both say the same thing; a provider uses one of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Purpose = Literal["guard", "plan", "answer", "general", "evaluate", "summarise"]


@dataclass(frozen=True)
class Message:
    """One message of the conversation that a model is shown."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class FieldCard:
    """A declared filter field; `known` are values that the library holds, where there are few enough to list."""

    name: str
    value_type: str
    description: str = ""
    known: tuple[str, ...] = ()


@dataclass(frozen=True)
class DomainCard:
    """What a classifier may know of a domain."""

    slug: str
    name: str
    description: str = ""
    fields: tuple[FieldCard, ...] = ()


@dataclass(frozen=True)
class SourceCard:
    """A numbered source, as the answerer sees it. `score` is the calibrated retrieval score in 0..1."""

    n: int
    text: str
    title: str = ""
    headings: tuple[str, ...] = ()
    kind: str = "text"
    score: float = 0.0
    source_file: int = 0


@dataclass(frozen=True)
class PlanTask:
    """Which domains a question belongs to, and what to search for."""

    question: str
    domains: tuple[DomainCard, ...]
    earlier: tuple[tuple[str, str], ...] = ()
    fixed: bool = False
    feedback: str = ""


@dataclass(frozen=True)
class AnswerTask:
    """Answer `question` from `sources`."""

    question: str
    sources: tuple[SourceCard, ...]
    earlier: tuple[tuple[str, str], ...] = ()
    feedback: str = ""


@dataclass(frozen=True)
class OtherTask:
    """Anything that only a language model can do: judge, summarise, chat. The text is in the prompt."""

    question: str = ""


Task = PlanTask | AnswerTask | OtherTask


@dataclass(frozen=True)
class Call:
    """One request to a provider.

    Attributes:
        purpose: what for; it is written to the ledger.
        system: the stable part of the prompt, which may be cached by the service.
        messages: the conversation, the last one from the user.
        schema: JSON Schema of the reply, for `structured`.
        model: which model, empty for the provider's default.
    """

    purpose: Purpose
    system: str
    messages: tuple[Message, ...]
    task: Task
    schema: dict[str, Any] | None = None
    model: str = ""
    max_tokens: int = 2_048
    temperature: float = 0.0
    timeout_s: float = 60.0


@dataclass(frozen=True)
class Spent:
    """What a call cost, in tokens."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0


@dataclass(frozen=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True)
class Thinking:
    """A piece of the model's reasoning; never part of the answer."""

    text: str


@dataclass(frozen=True)
class Ended:
    """The last piece of a stream: why it ended and what it cost."""

    reason: Literal["complete", "length", "refusal"] = "complete"
    spent: Spent = Spent()


Piece = Text | Thinking | Ended


@dataclass(frozen=True)
class Reply:
    """A structured reply: `value` follows the call's schema as far as the provider could check it."""

    value: dict[str, Any]
    spent: Spent = field(default_factory=Spent)


class Provider(Protocol):
    """A service that answers calls. Safe to use from one event loop; every call is independent.

    Attributes:
        name: for people and for the ledger.
        default_model: asked when a call names none; empty when there are no models to choose from.
        needs_model: False for a stand-in that understands `task` and can't do an `OtherTask`.
    """

    name: str
    default_model: str
    needs_model: bool

    def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Yield the reply in pieces, the last one `Ended`. Closing the iterator or cancelling the task ends the request.

        Raises:
            ProviderError: with `retryable` and `advice`; before the first piece or after it.
        """
        ...

    async def structured(self, call: Call) -> Reply:
        """Return a reply that follows `call.schema`.

        Raises:
            BadReplyError: the reply was not such an object; `text` holds what came.
            ProviderError: the service failed.
        """
        ...

    async def models(self) -> tuple[str, ...]:
        """Return the names of the models that may be asked; empty when there are none to choose from."""
        ...
