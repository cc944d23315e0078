"""A question in the engine's form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrieval.core.keyword_query import KeywordQuery
from retrieval.core.selection import Selection


class Asking:
    """Writes a question in the engine's form."""

    def __init__(self, schema: Any, title_weight: float, pair_weight: float) -> None:
        import tantivy

        self._schema = schema
        self._make = tantivy.Query
        self._must = tantivy.Occur.Must
        self._should = tantivy.Occur.Should
        self._title_weight = title_weight
        self._pair_weight = pair_weight

    def query(self, query: KeywordQuery, selection: Selection) -> Any:
        """Return: the selection must hold, one of the terms must be there, terms, pairs and phrases give the score."""
        phrases = [self._make.phrase_query(self._schema, "text", list(phrase)) for phrase in query.phrases]
        scored = [self._term(term, weight) for term, weight in query.terms]
        wanted = [(self._should, part) for part in (*scored, *(self._pair(pair) for pair in query.pairs), *phrases)]
        musts = [self._unscored(part) for part in self._limits(selection)]
        if query.phrases_required:
            musts += [self._unscored(phrase) for phrase in phrases]
        if not musts:
            return self._make.boolean_query(wanted)
        return self._make.boolean_query([(self._must, self._make.boolean_query(wanted)), *((self._must, part) for part in musts)])

    def _term(self, term: str, weight: float) -> Any:
        in_text = self._make.term_query(self._schema, "text", term, "freq")
        in_title = self._make.boost_query(self._make.term_query(self._schema, "title", term, "freq"), self._title_weight)
        both = self._make.boolean_query([(self._should, in_text), (self._should, in_title)])
        return both if weight == 1.0 else self._make.boost_query(both, weight)

    def _pair(self, pair: tuple[str, str]) -> Any:
        return self._make.boost_query(self._make.phrase_query(self._schema, "text", list(pair)), self._pair_weight)

    def _limits(self, selection: Selection) -> Iterator[Any]:
        if selection.labels is not None:
            yield self._make.term_set_query(self._schema, "label", sorted(selection.labels))
        if selection.source_files is not None:
            yield self._make.term_set_query(self._schema, "file", sorted(selection.source_files))

    def _unscored(self, query: Any) -> Any:
        return self._make.const_score_query(query, 0.0)
