from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.core.choosing import TIERS, Proposal, choose, doubt_of, values_of


def test_a_registrar_outweighs_all_other_tiers_together() -> None:
    proposals = [Proposal("year", 2019, tier, score=1.0) for tier in ("pdf-info", "docling", "layout", "text")]

    chosen = choose([*proposals, Proposal("year", 2020, "registrar", score=0.5)])

    assert chosen["year"].proposal.value == 2020
    assert [rival.value for rival in chosen["year"].rivals] == [2019]


def test_two_tiers_that_agree_beat_a_stronger_one_alone() -> None:
    chosen = choose(
        [
            Proposal("title", "untitled-3", "pdf-info"),
            Proposal("title", "On Rain", "docling"),
            Proposal("title", "On rain.", "layout"),
        ]
    )

    assert chosen["title"].proposal.value == "On Rain"
    assert chosen["title"].agreeing == 2


def test_a_person_always_counts() -> None:
    chosen = choose([Proposal("title", "By hand", "person"), Proposal("title", "By registrar", "registrar", score=1.0)])

    assert chosen["title"].proposal.value == "By hand"


def test_an_identifier_in_doubt_is_never_used() -> None:
    doubted = Proposal("doi", "10.1/x", "registrar", score=1.0, doubt="its title is another paper's")

    assert "doi" not in choose([doubted])


def test_a_title_in_doubt_is_better_than_none() -> None:
    assert choose([Proposal("title", "Perhaps", "text", doubt="a running head?")])["title"].proposal.value == "Perhaps"


def test_a_doi_brings_its_address_along() -> None:
    values = values_of(choose([Proposal("doi", "10.1/x", "layout")]))

    assert values["url_doi"] == "https://doi.org/10.1/x"
    assert values["_sources"] == ["layout"]
    assert values["_metadata_complete"] is False


def test_a_full_registrar_record_is_complete_and_leaves_no_doubt() -> None:
    choices = choose(
        Proposal(name, value, "registrar", score=1.0)
        for name, value in [("title", "T"), ("authors", ["Jane Doe"]), ("year", 2020), ("doi", "10.1/x")]
    )

    assert values_of(choices)["_metadata_complete"] is True
    assert doubt_of(choices) == 0.0


def test_an_empty_record_is_in_the_greatest_doubt() -> None:
    assert doubt_of({}) == 0.8


proposal = st.builds(
    Proposal,
    field=st.sampled_from(["title", "year", "doi"]),
    value=st.sampled_from(["a", "b", "c"]),
    tier=st.sampled_from(TIERS[1:]),
    score=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    doubt=st.sampled_from(["", "odd"]),
)


@given(st.lists(proposal, max_size=8), st.randoms())
def test_the_order_of_the_proposals_does_not_matter(proposals: list[Proposal], random: object) -> None:
    shuffled = list(proposals)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    chosen, again = choose(proposals), choose(shuffled)

    assert {name: choice.proposal.value for name, choice in chosen.items()} == {
        name: choice.proposal.value for name, choice in again.items()
    }


@given(st.lists(proposal, max_size=8), st.lists(st.sampled_from(["error", "warning", "info"]), max_size=30))
def test_doubt_always_lies_between_0_and_1(proposals: list[Proposal], severities: list[str]) -> None:
    assert 0.0 <= doubt_of(choose(proposals), severities) <= 1.0
