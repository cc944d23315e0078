"""The reference keyword store: rank-bm25 in the memory of this process, for small sets."""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from retrieval.core.analysis import analyse
from retrieval.core.hit import Run, best_first
from retrieval.core.keyword_query import LENGTH_WEIGHT, KeywordQuery, Phrase
from retrieval.core.selection import Selection
from retrieval.keyword_store import Contents, KeywordIndex, KeywordRow

TITLE_WEIGHT: Final = 0.3
PAIR_WEIGHT: Final = 0.05
_K1: Final = 1.2


@dataclass
class _Held:
    """One index: rows, their terms, and what ranks them, made when it is first asked."""

    position: str = ""
    files: dict[int, list[KeywordRow]] = field(default_factory=dict)
    lock: Any = field(default_factory=threading.RLock)
    ranking: _Ranking | None = None


@dataclass
class _Ranking:
    rows: list[tuple[int, KeywordRow]]
    texts: list[list[str]]
    places: list[dict[str, set[int]]]
    by_text: Any
    by_title: Any


class RankBm25Store:
    """Each process has its own copy, filled from the database."""

    def __init__(self) -> None:
        self._held: dict[KeywordIndex, _Held] = defaultdict(_Held)

    @contextmanager
    def exclusive(self, index: KeywordIndex, *, wait: bool) -> Iterator[bool]:
        """Hold the right to write."""
        lock = self._held[index].lock
        held = lock.acquire(blocking=wait)
        try:
            yield held
        finally:
            if held:
                lock.release()

    def position(self, index: KeywordIndex) -> str:
        """Return where the index stands."""
        return self._held[index].position

    def replace(self, index: KeywordIndex, contents: Contents, *, position: str) -> None:
        """Put the files' chunks in place of what was there of these files."""
        held = self._held[index]
        held.files = {
            file_id: rows for file_id, rows in {**held.files, **{k: list(v) for k, v in contents.items()}}.items() if rows
        }
        held.position = position
        held.ranking = None

    def rebuild(self, index: KeywordIndex, contents: Iterable[Contents], *, position: str) -> None:
        """Read everything anew, then put it in place."""
        files = {file_id: list(rows) for part in contents for file_id, rows in part.items() if rows}
        held = self._held[index]
        held.files, held.position, held.ranking = files, position, None

    def find(self, index: KeywordIndex, query: KeywordQuery, *, top_k: int, selection: Selection) -> Run:
        """Score every chunk; keep those of the selection that have a term and every phrase."""
        ranking = self._ranking(index)
        if not ranking.rows or query.is_empty or selection.is_empty:
            return ()
        scores = _scores(ranking, query)
        found: dict[int, float] = {}
        for place, (file_id, row) in enumerate(ranking.rows):
            passes = selection.admits(label=row.label, source_file_id=file_id)
            if scores[place] > 0 and passes and (not query.phrases_required or _holds_all(ranking.places[place], query.phrases)):
                found[row.chunk_id] = float(scores[place])
        return best_first(found)[:top_k]

    def held(self, index: KeywordIndex, source_file_id: int) -> Collection[int]:
        """Return the chunks of a file."""
        return {row.chunk_id for row in self._held[index].files.get(source_file_id, ())}

    def count(self, index: KeywordIndex) -> int:
        """Count the chunks."""
        return sum(len(rows) for rows in self._held[index].files.values())

    def drop(self, index: KeywordIndex) -> None:
        """Remove the index."""
        self._held.pop(index, None)

    def _ranking(self, index: KeywordIndex) -> _Ranking:
        held = self._held[index]
        with held.lock:
            if held.ranking is None:
                held.ranking = _rank(held.files, index.language)
            return held.ranking


def _rank(files: dict[int, list[KeywordRow]], language: str) -> _Ranking:
    rows = [(file_id, row) for file_id, of_file in files.items() for row in of_file]
    texts, titles, places = [], [], []
    for _, row in rows:
        terms = analyse(row.text, language=language)
        at: dict[str, set[int]] = defaultdict(set)
        for term in terms:
            at[term.text].add(term.position)
        texts.append([term.text for term in terms])
        titles.append([term.text for term in analyse(row.title, language=language)])
        places.append(at)
    return _Ranking(rows, texts, places, _bm25(texts, LENGTH_WEIGHT), _bm25(titles, 0.75))


def _bm25(documents: list[list[str]], length_weight: float) -> Any:
    """Make a BM25 whose idf is never negative (Lucene's form): in rank-bm25 a term in half of the chunks counts nothing."""
    if not any(documents):
        return None
    from rank_bm25 import BM25Okapi

    ranked = BM25Okapi(documents, k1=_K1, b=length_weight)
    holders: dict[str, int] = defaultdict(int)
    for counts in ranked.doc_freqs:
        for term in counts:
            holders[term] += 1
    size = ranked.corpus_size
    ranked.idf = {term: math.log(1 + (size - count + 0.5) / (count + 0.5)) for term, count in holders.items()}
    return ranked


def _scores(ranking: _Ranking, query: KeywordQuery) -> list[float]:
    totals = [0.0] * len(ranking.rows)
    for ranked, weight in ((ranking.by_text, 1.0), (ranking.by_title, TITLE_WEIGHT)):
        for term, times in query.terms:
            if ranked is not None and term in ranked.idf:
                for place, score in enumerate(ranked.get_scores([term])):
                    totals[place] += weight * times * float(score)
    for phrase, weight in _phrases(query):
        bonus = weight * sum(ranking.by_text.idf.get(term, 0.0) for _, term in phrase) if ranking.by_text else 0.0
        for place, at in enumerate(ranking.places):
            totals[place] += bonus * _holds(at, phrase)
    return totals


def _phrases(query: KeywordQuery) -> list[tuple[Phrase, float]]:
    pairs: list[tuple[Phrase, float]] = [(((0, one), (1, other)), PAIR_WEIGHT) for one, other in query.pairs]
    return [*pairs, *((phrase, 1.0) for phrase in query.phrases)]


def _holds_all(at: dict[str, set[int]], phrases: tuple[Phrase, ...]) -> bool:
    return all(_holds(at, phrase) for phrase in phrases)


def _holds(at: dict[str, set[int]], phrase: Phrase) -> bool:
    (first, word), *others = phrase
    starts = {place - first for place in at.get(word, ())}
    return any(all(start + offset in at.get(other, ()) for offset, other in others) for start in starts)
