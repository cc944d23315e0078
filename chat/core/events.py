"""The events of a turn: one schema for the socket, the stream, the store and the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

EventType = Literal[
    "turn.started", "stage.started", "stage.finished", "tool.called", "tool.returned", "sources", "delta", "citation", "revised",
    "notice", "usage", "finished", "stopped", "failed",
]  # fmt: skip
TYPES: Final[tuple[str, ...]] = get_args(EventType)
LAST: Final = frozenset({"finished", "stopped", "failed"})
"""A turn ends with one of these, and nothing follows it."""

_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {
    "turn.started": {"question": str},
    "stage.started": {"stage": str, "label": str},
    "stage.finished": {"stage": str, "label": str, "took_ms": int, "summary": str},
    "tool.called": {"tool": str, "arguments": dict},
    "tool.returned": {"tool": str, "took_ms": int, "failed": bool},
    "sources": {"sources": list},
    "delta": {"text": str},
    "citation": {
        "marker": int, "position": int, "sentence": str, "quote": str, "pages": list, "boxes": list, "support": str,
        "start": int, "end": int,
    },
    "revised": {"text": str},
    "notice": {"text": str, "level": str},
    "usage": {"tokens_in": int, "tokens_out": int},
    "finished": {"answer": str, "kind": str, "took_ms": int},
    "stopped": {"answer": str},
    "failed": {"message": str, "advice": str, "retry": bool},
}  # fmt: skip
_RESERVED: Final = frozenset({"seq", "turn", "type"})


class MalformedEvent(ValueError):  # noqa: N818 -- read as a sentence
    """An event is not of the schema."""


@dataclass(frozen=True)
class Event:
    """One event of a turn.

    Attributes:
        seq: from 1, without gaps within a turn.
        turn: the turn's key.
        type: one of `TYPES`.
        payload: what the type wants, and whatever else.
    """

    seq: int
    turn: int
    type: str
    payload: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the form that is sent and stored.

        >>> Event(2, 7, "delta", {"text": "It"}).as_json()
        {'seq': 2, 'turn': 7, 'type': 'delta', 'text': 'It'}
        """
        return {"seq": self.seq, "turn": self.turn, "type": self.type, **self.payload}

    @property
    def is_last(self) -> bool:
        """Whether the turn ends with it."""
        return self.type in LAST


def read_event(given: Mapping[str, Any]) -> Event:
    """Read the form that is sent and stored.

    Raises:
        MalformedEvent: it isn't of the schema; the message says what is missing.
    """
    seq, turn, kind = given.get("seq"), given.get("turn"), given.get("type")
    if not isinstance(seq, int) or isinstance(seq, bool) or seq < 1 or not isinstance(turn, int):
        raise MalformedEvent("An event has a seq from 1 on and the number of its turn.")
    if kind not in TYPES:
        raise MalformedEvent(f"{kind} is no type of event. Types: {', '.join(TYPES)}.")
    payload = {key: value for key, value in given.items() if key not in _RESERVED}
    check_payload(str(kind), payload)
    return Event(seq, turn, str(kind), payload)


def check_payload(kind: str, payload: Mapping[str, Any]) -> None:
    """Pass if a payload has the fields of its type.

    Raises:
        MalformedEvent: a field is missing or of another kind.
    """
    for name, wanted in _FIELDS[kind].items():
        value = payload.get(name)
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise MalformedEvent(f"{kind} needs {name}, {wanted.__name__}.")


@dataclass(frozen=True)
class Told:
    """What a reader has seen when so many events have come."""

    answer: str = ""
    last_seq: int = 0
    ended: str = ""


def told_by(events: Iterable[Event]) -> Told:
    """Return the answer that a stream of events tells; a `revised` replaces what was streamed.

    Raises:
        MalformedEvent: a number is missing or comes twice, or something follows the end.

    >>> told_by([Event(1, 7, "delta", {"text": "It f"}), Event(2, 7, "delta", {"text": "ires."})]).answer
    'It fires.'
    """
    answer, last, ended = "", 0, ""
    for event in events:
        if event.seq != last + 1:
            raise MalformedEvent(f"Event {last + 1} of turn {event.turn} is missing: {event.seq} came.")
        if ended:
            raise MalformedEvent(f"{event.type} came after {ended}.")
        last = event.seq
        if event.type == "delta":
            answer += event.payload["text"]
        elif event.type == "revised":
            answer = event.payload["text"]
        ended = event.type if event.is_last else ""
    return Told(answer, last, ended)
