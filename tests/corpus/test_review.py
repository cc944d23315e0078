from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404

from corpus import review
from corpus.candidates import propose
from corpus.core.choosing import Proposal
from corpus.models import Chunk, MetadataEntry, ReviewEvent, SourceFile
from tests.people import TwoTeams


@pytest.fixture
def entry(two_teams: TwoTeams) -> MetadataEntry:
    file = SourceFile.objects.create(collection=two_teams.papers, path="rain.pdf", content_hash="0" * 64, size=1)
    Chunk.objects.create(source_file=file, ordinal=0, text="Rain falls.", headings=["Intro"], text_hash="1" * 64)
    made = MetadataEntry.objects.create(source_file=file)
    return propose(
        made,
        [Proposal("title", "On Rain", "layout"), Proposal("year", 2019, "layout"), Proposal("year", 2020, "text")],
        tiers=["layout", "text"],
    )


def test_an_edited_value_survives_whatever_a_machine_proposes_later(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    review.edit(two_teams.ben, entry.pk, {"title": "On rain and snow"})

    after = propose(entry, [Proposal("title", "ON RAIN", "registrar", score=1.0)], tiers=["registrar"])

    assert after.values["title"] == "On rain and snow"


def test_a_field_emptied_by_hand_stays_empty(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    after = review.edit(two_teams.ben, entry.pk, {"year": ""})

    assert "year" not in after.values


def test_an_accepted_entry_labels_the_chunks_at_once(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    review.accept(two_teams.ben, entry.pk)

    label = Chunk.objects.get(source_file=entry.source_file).metadata
    assert (label["title"], label["year"], label["file_name"]) == ("On Rain", 2019, "rain.pdf")
    assert not [key for key in label if key.startswith("_")]


def test_an_accepted_entry_leaves_the_queue(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    review.accept(two_teams.ben, entry.pk)

    assert list(review.queue(two_teams.ben)) == []


def test_a_skipped_entry_comes_back_last(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    other_file = SourceFile.objects.create(collection=two_teams.papers, path="snow.pdf", content_hash="2" * 64, size=1)
    other = MetadataEntry.objects.create(source_file=other_file, doubt=0.1)
    review.skip(two_teams.ben, entry.pk)

    assert [one.pk for one in review.queue(two_teams.ben)] == [other.pk, entry.pk]


def test_every_decision_tells_who_changed_what(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    review.edit(two_teams.ben, entry.pk, {"title": "Rain"})

    event = ReviewEvent.objects.get()
    assert (event.actor, event.verb) == (two_teams.ben, "edit")
    assert (event.before["values"]["title"], event.after["values"]["title"]) == ("On Rain", "Rain")


def test_undo_takes_decisions_back_one_by_one(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    review.edit(two_teams.ben, entry.pk, {"title": "First"})
    review.edit(two_teams.ben, entry.pk, {"title": "Second"})

    after_one = review.undo(two_teams.ben, entry.pk).values["title"]
    after_two = review.undo(two_teams.ben, entry.pk).values["title"]

    assert (after_one, after_two) == ("First", "On Rain")


def test_undo_without_a_decision_says_so(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    with pytest.raises(LookupError, match="no decision"):
        review.undo(two_teams.ben, entry.pk)


def test_the_second_of_two_curators_is_told_and_nothing_is_overwritten(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    seen = entry.version
    review.edit(two_teams.mia, entry.pk, {"title": "Mia's"}, version=seen)

    with pytest.raises(review.EntryChanged, match="mia changed"):
        review.edit(two_teams.ben, entry.pk, {"title": "Ben's"}, version=seen)
    entry.refresh_from_db()
    assert entry.values["title"] == "Mia's"


def test_a_chosen_candidate_becomes_the_persons_decision(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    rival = entry.candidates.get(value=2020)

    assert review.choose(two_teams.ben, rival.pk).values["year"] == 2020


def test_a_released_field_goes_back_to_the_best_candidate(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    review.edit(two_teams.ben, entry.pk, {"year": 1900})

    assert review.release(two_teams.ben, entry.pk, "year").values["year"] == 2019


def test_derived_fields_cannot_be_set(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    with pytest.raises(ValueError, match="_sources"):
        review.edit(two_teams.ben, entry.pk, {"_sources": ["me"]})


def test_a_reader_may_look_but_not_decide(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    with pytest.raises(PermissionDenied, match="curator"):
        review.accept(two_teams.ada, entry.pk)


def test_somebody_of_another_domain_finds_nothing(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    with pytest.raises(Http404):
        review.accept(two_teams.cleo, entry.pk)


def test_accepting_below_a_doubt_leaves_the_doubtful_ones(entry: MetadataEntry, two_teams: TwoTeams) -> None:
    sure_file = SourceFile.objects.create(collection=two_teams.papers, path="sure.pdf", content_hash="3" * 64, size=1)
    sure = propose(
        MetadataEntry.objects.create(source_file=sure_file),
        [
            Proposal(name, value, "registrar")
            for name, value in [("title", "T"), ("authors", ["A B"]), ("year", 2000), ("doi", "10.1/x")]
        ],
        tiers=["registrar"],
    )

    assert review.accept_below(two_teams.ben, review.queue(two_teams.ben), 0.05) == 1
    sure.refresh_from_db()
    assert sure.review == "accepted"


def test_a_decision_wakes_the_pipeline_after_it_is_saved(
    entry: MetadataEntry, two_teams: TwoTeams, django_capture_on_commit_callbacks: object
) -> None:
    told: list[int] = []
    review.after_decision.append(told.append)
    try:
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
            review.accept(two_teams.ben, entry.pk)
    finally:
        review.after_decision.remove(told.append)

    assert told == [entry.source_file_id]


def test_an_anonymous_person_has_an_empty_queue(entry: MetadataEntry) -> None:
    assert list(review.queue(User(is_active=False))) == []
