"""The contract of a keyword store: BM25 over the terms of chunks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from retrieval.core.analysis import language_of
from retrieval.core.hit import Run
from retrieval.core.keyword_query import KeywordQuery
from retrieval.core.selection import Selection


@dataclass(frozen=True, slots=True)
class KeywordIndex:
    """One index of a back end: the key of the store's row and the analysis of its terms."""

    store_id: int
    analyzer: str = "words-1-english"

    @property
    def language(self) -> str:
        """The language of the analysis."""
        return language_of(self.analyzer)


@dataclass(frozen=True, slots=True)
class KeywordRow:
    """A chunk as it is indexed: its text, what it stands under, and the key of its metadata."""

    chunk_id: int
    title: str
    text: str
    label: str


Contents = Mapping[int, Sequence[KeywordRow]]
"""Source files with all of their chunks; a file without chunks is gone."""


class KeywordStore(Protocol):
    """Holds the terms of chunks and ranks them by BM25.

    An index stands at a `position` of the database's changes; contents and position are written together, so after a kill
    the index is whole and knows what it lacks. Reading is safe from any thread and process; writing is for the holder of
    `exclusive`. The idf is never negative, so that a word that half of the chunks have still counts.
    """

    def exclusive(self, index: KeywordIndex, *, wait: bool) -> AbstractContextManager[bool]:
        """Hold the right to write, across processes.

        Yields:
            Whether it is held; always, if `wait`.
        """
        ...

    def position(self, index: KeywordIndex) -> str:
        """Return where the index stands; empty if it was never built, or by another analysis."""
        ...

    def replace(self, index: KeywordIndex, contents: Contents, *, position: str) -> None:
        """Put the files' chunks in place of what was there of these files, at once."""
        ...

    def rebuild(self, index: KeywordIndex, contents: Iterable[Contents], *, position: str) -> None:
        """Build the index anew aside and put it in place of the old one, which serves until then."""
        ...

    def find(self, index: KeywordIndex, query: KeywordQuery, *, top_k: int, selection: Selection) -> Run:
        """Find the chunks that fit best.

        Returns:
            Best first, at most `top_k`, scores above 0; `top_k` come if that many chunks of the selection have a term.
        """
        ...

    def held(self, index: KeywordIndex, source_file_id: int) -> Collection[int]:
        """Return the chunks of a file that the index holds."""
        ...

    def count(self, index: KeywordIndex) -> int:
        """Count the chunks."""
        ...

    def drop(self, index: KeywordIndex) -> None:
        """Remove the index; absent is fine."""
        ...


class KeywordStoreUnavailable(Exception):  # noqa: N818 -- read as a sentence
    """The index can't be read or written now."""

    retryable = True

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice
