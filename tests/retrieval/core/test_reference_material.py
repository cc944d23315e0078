"""What a model is given to read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.reference_material import Passage, serialise, within_budget

COSTS = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(1, 50), max_size=6), max_size=3)


@given(by_domain=COSTS, budget=st.integers(0, 120))
def test_at_most_one_passage_crosses_the_budget(by_domain: dict[str, list[int]], budget: int) -> None:
    kept = [cost for costs in within_budget(by_domain, budget, cost=int).values() for cost in costs]
    everything = [cost for costs in by_domain.values() for cost in costs]
    assert sum(kept) - max(kept, default=0) <= budget
    assert len(kept) == len(everything) or sum(kept) > budget


@given(by_domain=COSTS, budget=st.integers(0, 120))
def test_each_domain_keeps_its_best_and_no_domain_starves(by_domain: dict[str, list[int]], budget: int) -> None:
    kept = within_budget(by_domain, budget, cost=int)
    assert all(tuple(by_domain[domain][: len(costs)]) == costs for domain, costs in kept.items())
    longest = max((len(costs) for costs in kept.values()), default=0)
    assert all(len(costs) >= min(longest - 1, len(by_domain[domain])) for domain, costs in kept.items())


def test_two_files_of_one_name_are_two_sources() -> None:
    written = serialise({"D": [Passage("one", 0.9, "x.pdf", source=1), Passage("two", 0.8, "x.pdf", source=2)]})
    assert "1/2: [x.pdf]" in written
    assert "2/2: [x.pdf]" in written


def test_scores_and_machine_keys_are_not_shown() -> None:
    written = serialise(
        {"D": [Passage("one", 0.123, "x.pdf", metadata={"file_hash": "h", "_sources": ["x"], "author_keys": ["k"]})]}
    )
    assert "0.123" not in written
    assert "Metadata" not in written
