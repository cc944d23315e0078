"""The forms of the API of conversations."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

SLUGS = 100


class Strict(Schema):
    """A body in which an unknown key is an error."""

    model_config = ConfigDict(extra="forbid")


class AskIn(Strict):
    """A question."""

    question: str = Field(description="The question, in plain words.", examples=["Which ion channels does the model use?"])
    session: int | None = Field(None, description="A session to ask in, with its memory; a new one is made without it.")
    domains: list[str] | None = Field(
        None, max_length=SLUGS, description="Slugs of the domains to search; empty or absent lets Klea choose."
    )


class SourceOut(Schema):
    """A source as it was when it was cited."""

    model_config = ConfigDict(extra="allow")

    n: int
    chunk: int | None = None
    title: str = ""
    authors: list[str] = []
    year: int | None = None
    venue: str = ""
    section: str = ""
    pages: list[int] = []
    file: int | None = None
    file_name: str = ""
    domain: str = ""
    text: str = ""
    links: list[list[str]] = []
    media_type: str = ""


class CitationOut(Schema):
    """A sentence of an answer, the exact words behind it, and where they stand."""

    id: int
    marker: int = Field(description="The n of [n] in the answer.")
    position: int = Field(description="The sentence's number in the answer, from 0.")
    sentence: str
    quote: str = Field(description="The exact words in the source.")
    start: int = Field(description="Where the quote begins in the source's text.")
    end: int
    pages: list[int]
    boxes: list[list[float]] = Field(description="[page, left, top, right, bottom] in points, origin top left.")
    support: Literal["verified", "supported", "weak", "unsupported"]
    chunk: int | None
    source: SourceOut


class TurnOut(Schema):
    """A question with its answer."""

    id: int
    session: int
    ordinal: int
    question: str
    standalone_question: str = Field(description="The question as it was searched, where it leant on the conversation.")
    domains: list[str]
    state: Literal["waiting", "running", "finished", "stopped", "failed", "interrupted"]
    kind: str = Field(
        description="What the answer rests on: library, extracts, general, refused, abstained, best_effort, clarify."
    )
    answer: str
    html: str
    citations: list[CitationOut]
    error: str
    readable: bool
    feedback: int | None
    created: datetime
    finished: datetime | None


class SessionIn(Strict):
    """A new session."""

    title: str = Field("", max_length=200)
    domains: list[str] = Field(default_factory=list, max_length=SLUGS)


class SessionChange(Strict):
    """What to change of a session; what is absent stays."""

    title: str | None = Field(None, max_length=200)
    domains: list[str] | None = Field(None, max_length=SLUGS)
    models: dict[str, str] | None = Field(None, description='Role -> "provider:model"; see /models.')


class SessionOut(Schema):
    """A session without its turns."""

    id: int
    title: str
    domains: list[str]
    created: datetime
    updated: datetime


class SessionWithTurns(SessionOut):
    """A session with its turns."""

    turns: list[TurnOut]


class FeedbackIn(Strict):
    """What the asker thinks of an answer."""

    value: Literal[1, -1] | None = Field(description="1 good, -1 bad, null for no opinion.")
    text: str = Field("", max_length=4_000)


class KeyIn(Strict):
    """A new key."""

    name: str = Field(max_length=80)
    domains: list[str] = Field(default_factory=list, max_length=SLUGS, description="Limits the key; empty: all you may see.")
    expires: datetime | None = Field(None, description="At the latest in a year, which is the default.")


class KeyOut(Schema):
    """A key without its secret."""

    id: int
    name: str
    prefix: str
    domains: list[str]
    expires: datetime | None
    revoked: datetime | None
    last_used: datetime | None


class MadeKeyOut(KeyOut):
    """A key just made, with its secret; it is shown this once."""

    secret: str


class ModelsOut(Schema):
    """Which model does which role, and which may be chosen for a session."""

    assigned: dict[str, dict[str, str]]
    allowed: list[str]


class ErrorOut(Schema):
    """What went wrong and what to do."""

    error: str
    advice: str
    allowed: Any = None
