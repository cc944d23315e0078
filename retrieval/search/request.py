"""What is asked of search, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from corpus.models.visibility import type_of_user
from retrieval.core.filters import Filter


@dataclass(frozen=True)
class SearchRequest:
    """A search, on behalf of a user.

    Attributes:
        text: the question, standing alone.
        user: who asks; only what they may see is searched.
        domains: slugs; None: every domain that they may see.
        collections: keys; None: every collection of the domains.
        source_files: keys; None: every file of the collections.
        where: canonical filter; each domain applies the fields that it declares. None: unfiltered.
        queries: further queries (sub-questions, translations), each searched apart and fused by rank.
        keywords: further words for the keyword stores only.
        limit: at most this many hits.
        offset: leave out this many of the best, for paging.
        round: rounds of this turn before this one; stores are searched deeper in each.
        rerank: read the best again with the reranker; None: as the site does.
        expand: give the neighbouring passages of each hit too.
        threshold: leave out hits with a lower score.
        relax: search without the filter when nothing passes it, and say so; None: as each domain does.
        weights: weight of single stores in the fusion, by key, to try out; stores not named count 1.
    """

    text: str
    user: type_of_user
    domains: tuple[str, ...] | None = None
    collections: tuple[int, ...] | None = None
    source_files: tuple[int, ...] | None = None
    where: Filter | None = None
    queries: tuple[str, ...] = ()
    keywords: str = ""
    limit: int = 10
    offset: int = 0
    round: int = 0
    rerank: bool | None = None
    expand: bool = False
    threshold: float = 0.0
    relax: bool | None = None
    weights: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class FoundChunk:
    """A chunk that was found.

    Attributes:
        score: calibrated, 0 to 1, independent of what else was found.
        rank: from 1 over all pages.
        ranks: rank in each store that found it, by "domain/collection/store".
        beside: the chunk that this one was given beside, if it is only a neighbour of a hit.
        file_name: relative path of its file.
    """

    chunk_id: int
    source_file_id: int
    domain: str
    text: str
    headings: tuple[str, ...]
    pages: tuple[int, ...]
    metadata: dict[str, Any]
    file_name: str
    score: float
    rank: int
    ranks: dict[str, int]
    beside: int | None = None


@dataclass(frozen=True)
class SearchResponse:
    """What was found.

    Attributes:
        hits: best first, at most `limit`.
        total: how many of the candidates pass everything; as deep as the stores were searched.
        notices: what the reader should know: a relaxed filter, a store that did not answer.
        trace: each step with ranks, scores and milliseconds; can be written as JSON.
    """

    hits: tuple[FoundChunk, ...]
    total: int
    notices: tuple[str, ...]
    trace: dict[str, Any]


class UnknownScope(LookupError):  # noqa: N818 -- read as a sentence
    """A domain, collection or file was named that doesn't exist for this user."""

    retryable = False
    status = 404
    advice = "Choose among the domains, collections and files that you can see."


class SearchUnavailable(Exception):  # noqa: N818 -- read as a sentence
    """No store answered."""

    retryable = True
    advice = "Try again in a moment; if it stays so, run: manage.py doctor."
