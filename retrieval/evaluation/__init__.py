"""How good retrieval is: on test collections in BEIR's form, and on a domain's golden questions."""

from __future__ import annotations

from retrieval.evaluation.beir import BeirSet, NotBeir, read_beir
from retrieval.evaluation.benchmark import RETRIEVERS, Benchmarked, benchmark
from retrieval.evaluation.golden import NothingToMeasure, measure_domain
from retrieval.evaluation.measures import MEASURES, Measured, difference, measure

__all__ = [
    "MEASURES",
    "RETRIEVERS",
    "BeirSet",
    "Benchmarked",
    "Measured",
    "NotBeir",
    "NothingToMeasure",
    "benchmark",
    "difference",
    "measure",
    "measure_domain",
    "read_beir",
]
