"""The one score that is shown and that a threshold meets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.core.calibration import calibrated, coverage
from retrieval.search.evidence import Evidence
from retrieval.search.loading import Loaded


@dataclass
class Scoring:
    """Scores chunks when they are asked for, each once."""

    evidence: Evidence
    loaded: Mapping[int, Loaded]
    _known: dict[int, float] = field(default_factory=dict)

    def of(self, chunk_ids: Iterable[int]) -> dict[int, float]:
        """Return the calibrated score of each chunk: its best over all queries."""
        wanted = list(chunk_ids)
        lacking = [self.loaded[chunk_id] for chunk_id in wanted if chunk_id not in self._known]
        if lacking:
            self._known |= _scores_of(lacking, self.evidence)
        return {chunk_id: self._known[chunk_id] for chunk_id in wanted}


def _scores_of(rows: Sequence[Loaded], evidence: Evidence) -> dict[int, float]:
    found: dict[int, float] = {}
    for place, question in enumerate(evidence.questions):
        near = evidence.nearness(place)
        terms = question.words("english").terms
        for row in rows:
            cosine, cosine_range = near.get(row.chunk_id, (None, (0.0, 1.0)))
            part = coverage(terms, "\n".join([*row.headings, row.text]))
            score = calibrated(cosine=cosine, coverage=part, cosine_range=cosine_range)
            found[row.chunk_id] = max(score, found.get(row.chunk_id, 0.0))
    return found
