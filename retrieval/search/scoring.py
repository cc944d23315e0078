"""The one score that is shown and that a threshold meets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.core.calibration import calibrated, coverage
from retrieval.core.hit import Run
from retrieval.models import Store
from retrieval.opening import embedder_of, vector_store_of
from retrieval.search.asking import Asked, Question
from retrieval.search.loading import Loaded


@dataclass
class Scoring:
    """Scores chunks when they are asked for, each once."""

    answers: Sequence[Asked]
    questions: Sequence[Question]
    loaded: Mapping[int, Loaded]
    _known: dict[int, float] = field(default_factory=dict)

    def of(self, chunk_ids: Iterable[int]) -> dict[int, float]:
        """Return the calibrated score of each chunk: its best over all queries."""
        wanted = list(chunk_ids)
        lacking = [self.loaded[chunk_id] for chunk_id in wanted if chunk_id not in self._known]
        if lacking:
            self._known |= _scores_of(lacking, self.answers, self.questions)
        return {chunk_id: self._known[chunk_id] for chunk_id in wanted}


def _scores_of(hits: Sequence[Loaded], answers: Sequence[Asked], questions: Sequence[Question]) -> dict[int, float]:
    near = _nearness(hits, answers)
    found: dict[int, float] = {}
    for place, question in enumerate(questions):
        terms = question.words("english").terms
        for hit in hits:
            cosine, cosine_range = near.get((place, hit.chunk_id), (None, (0.0, 1.0)))
            part = coverage(terms, "\n".join([*hit.headings, hit.text]))
            score = calibrated(cosine=cosine, coverage=part, cosine_range=cosine_range)
            found[hit.chunk_id] = max(score, found.get(hit.chunk_id, 0.0))
    return found


def _nearness(
    hits: Sequence[Loaded], answers: Sequence[Asked]
) -> dict[tuple[int, int], tuple[float | None, tuple[float, float]]]:
    """Return query and chunk to cosine; those that only keyword stores found are compared now."""
    wanted = {hit.chunk_id for hit in hits}
    found: dict[tuple[int, int], tuple[float | None, tuple[float, float]]] = {}
    for answer in answers:
        if answer.store.kind != Store.Kind.VECTOR or answer.vector is None:
            continue
        cosine_range = embedder_of(answer.store).cosine_range
        known = _scores(answer.run)
        lacking = wanted - set(known)
        if lacking:
            backend, index = vector_store_of(answer.store)
            known |= backend.similarities(index, answer.vector, lacking)
        for chunk_id in wanted & set(known):
            found.setdefault((answer.query, chunk_id), (known[chunk_id], cosine_range))
    return found


def _scores(run: Run) -> dict[int, float]:
    return {hit.chunk_id: hit.score for hit in run}
