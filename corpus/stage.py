"""The contract of a stage: a step on the way from a file to something that can be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from corpus.models import Collection, SourceFile, State


@dataclass(frozen=True)
class StageContext:
    """What a stage may use beside the file.

    Attributes:
        heartbeat: call it now and then in long work; it renews the lease and raises `Cancelled` when a person cancelled.
        progress: tell how many pages are done.
        secrets: passwords for this run only; never stored.
    """

    heartbeat: Callable[[], None]
    progress: Callable[[int], None]
    secrets: dict[str, str] = field(default_factory=dict)


class Stage(Protocol):
    """A step of ingestion. Running it twice has the effect of running it once.

    Attributes:
        name: never changed, it is in the database.
        version: raised when the stage's output changes.
        shows: the state that a person sees while it runs.
    """

    @property
    def name(self) -> str:
        """The name in the record."""
        ...

    @property
    def version(self) -> int:
        """The version of its output."""
        ...

    @property
    def shows(self) -> State:
        """What a person sees meanwhile."""
        ...

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Return what changes the result beside the bytes; it is hashed into the attempt's key."""
        ...

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Do the step and return what the attempt's row keeps.

        Raises:
            Halt: a person must act first; not an error.
            StageError: it failed.
        """
        ...


@runtime_checkable
class Prepares(Protocol):
    """A stage whose settings follow from rows of the collection, and that can read them once for many files."""

    def prepare(self, collection: Collection) -> None:
        """Read what `settings` needs into `collection`; the files that are asked about next hold this very object."""
        ...


@runtime_checkable
class Forgets(Protocol):
    """A stage that keeps something outside the database, and can drop it at once when a file is removed."""

    def forget(self, source_file: SourceFile) -> None:
        """Drop what is kept of the file; nothing kept is fine."""
        ...


class Halt(Exception):  # noqa: N818 -- an outcome, not an error
    """A wait for a person: the file shows `state` until somebody acts."""

    def __init__(self, state: State, cause: str, advice: str) -> None:
        super().__init__(cause)
        self.state = state
        self.cause = cause
        self.advice = advice


class Partial(Exception):  # noqa: N818 -- an outcome, not an error
    """The stage did what it could; `missing` lists the pages or chunks that are not there."""

    def __init__(self, cause: str, advice: str, missing: dict[str, Any]) -> None:
        super().__init__(cause)
        self.cause = cause
        self.advice = advice
        self.missing = missing


class Cancelled(Exception):  # noqa: N818 -- an outcome, not an error
    """A person cancelled the work on this file."""


class StageError(Exception):
    """A stage failed: what happened, what to do, and whether trying again makes sense by itself."""

    def __init__(self, cause: str, *, advice: str, retryable: bool = False, detail: dict[str, Any] | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.advice = advice
        self.retryable = retryable
        self.detail = detail or {}
