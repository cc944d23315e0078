from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from corpus.ingestion import attempts, cancel, drain, go_on, ingest, lease, pending, pipeline, redo, retry
from corpus.ingestion.run import MOST_DEATHS, needs
from corpus.models import Chunk, Outcome, SourceFile, StageAttempt, State
from corpus.stage import Halt, Partial, StageError
from tests.corpus.steps import Step, raising
from tests.people import TwoTeams

Steps = tuple[Step, Step, Step]
Maker = Callable[..., SourceFile]


def state_of(file: SourceFile) -> str:
    file.refresh_from_db()
    return file.state


def test_a_file_goes_through_all_stages_and_is_ready(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()

    assert ingest(file.pk) == State.READY

    assert [step.runs for step in three_steps] == [1, 1, 1]
    assert list(file.attempts.values_list("outcome", flat=True)) == [Outcome.GOOD] * 3
    file.refresh_from_db()
    assert (file.lease_holder, file.lease_until) == ("", None)


def test_a_file_that_is_done_is_not_taken_again(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()
    ingest(file.pk)

    assert ingest(file.pk) is None
    assert [step.runs for step in three_steps] == [1, 1, 1]


def test_only_the_stage_whose_settings_changed_and_those_after_it_run_again(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()
    ingest(file.pk)
    three_steps[1].knobs = {"max_tokens": 99}
    SourceFile.objects.filter(pk=file.pk).update(state=State.QUEUED)

    ingest(file.pk)

    assert [step.runs for step in three_steps] == [1, 2, 2]


def test_what_needs_to_run_is_known_without_running_it(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()
    ingest(file.pk)
    assert needs(file, pipeline.stages(), attempts.last_done(file)) == ""

    three_steps[1].knobs = {"max_tokens": 99}
    assert needs(file, pipeline.stages(), attempts.last_done(file)) == "cut"


def test_a_failure_is_recorded_with_stage_cause_and_advice(a_file: Maker, three_steps: Steps) -> None:
    three_steps[1].does = raising(StageError("The file is damaged.", advice="Export it again."))
    file = a_file()

    assert ingest(file.pk) == State.FAILED

    file.refresh_from_db()
    assert (file.state_detail["stage"], file.state_detail["cause"]) == ("cut", "The file is damaged.")
    assert file.state_detail["advice"] == "Export it again."
    assert three_steps[2].runs == 0


def test_an_unexpected_error_costs_one_file_only(a_file: Maker, three_steps: Steps, caplog: pytest.LogCaptureFixture) -> None:
    bad, good = a_file("a.md"), a_file("b.md")

    def fail_on_the_first(file: SourceFile, context: object) -> None:
        if file.path == "a.md":
            raise ZeroDivisionError("oops")

    three_steps[0].does = fail_on_the_first

    assert drain() == 2
    assert (state_of(bad), state_of(good)) == (State.FAILED, State.READY)
    assert "ZeroDivisionError" in bad.state_detail["cause"]
    assert "failed on file" in caplog.text


def test_a_failure_that_may_pass_is_tried_again_later_and_then_told(a_file: Maker, three_steps: Steps) -> None:
    three_steps[0].does = raising(StageError("Busy.", advice="Wait.", retryable=True))
    file = a_file()

    ingest(file.pk)
    assert state_of(file) == State.QUEUED
    assert file.lease_until is not None
    assert not pending().exists()

    for _ in range(3):
        SourceFile.objects.filter(pk=file.pk).update(lease_until=None)
        ingest(file.pk)
    assert state_of(file) == State.FAILED
    assert three_steps[0].runs == 4


def test_a_halt_waits_for_a_person_and_goes_on_after_the_decision(a_file: Maker, three_steps: Steps) -> None:
    three_steps[1].does = raising(Halt(State.NEEDS_REVIEW, "Waits.", "Review it."))
    file = a_file()
    assert ingest(file.pk) == State.NEEDS_REVIEW

    three_steps[1].does = lambda file, context: {}
    go_on(file.pk)

    assert ingest(file.pk) == State.READY
    assert three_steps[0].runs == 1


def test_what_is_missing_makes_a_file_partial_and_retry_does_only_that_again(a_file: Maker, three_steps: Steps) -> None:
    three_steps[1].does = raising(Partial("Page 2 can't be read.", "Try again.", {"pages": [2]}))
    file = a_file()

    assert ingest(file.pk) == State.PARTIAL
    file.refresh_from_db()
    assert file.state_detail["missing"] == {"pages": [2]}

    three_steps[1].does = lambda file, context: {}
    assert retry(SourceFile.objects.filter(pk=file.pk)) == 1
    assert ingest(file.pk) == State.READY
    assert [step.runs for step in three_steps] == [1, 2, 2]


def test_a_partial_file_stays_partial_when_later_stages_run_again(a_file: Maker, three_steps: Steps) -> None:
    three_steps[1].does = raising(Partial("Page 2 can't be read.", "Try again.", {"pages": [2]}))
    file = a_file()
    ingest(file.pk)
    redo(SourceFile.objects.filter(pk=file.pk), since="index")

    three_steps[1].does = lambda file, context: {}
    assert ingest(file.pk) == State.READY, "redo starts incomplete stages afresh, too"


def test_two_workers_never_have_the_same_file(a_file: Maker) -> None:
    file = a_file()
    held = lease.take(file.pk)

    assert held is not None
    assert lease.take(file.pk) is None
    assert ingest(file.pk) is None
    assert lease.take_next() is None


def test_an_expired_lease_is_taken_over_and_the_killed_attempt_is_marked(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()
    SourceFile.objects.filter(pk=file.pk).update(
        state=State.CONVERTING, lease_holder="elsewhere|1|1|x", lease_until=timezone.now() - timezone.timedelta(seconds=1)
    )
    StageAttempt.objects.create(source_file=file, stage="read", version=1, key="k", outcome=Outcome.RUNNING)

    assert drain() == 1

    assert state_of(file) == State.READY
    assert file.attempts.filter(outcome=Outcome.ABANDONED).count() == 1


def test_the_lease_of_a_dead_process_of_this_machine_ends_at_once(a_file: Maker) -> None:
    file = a_file()
    held = lease.take(file.pk)
    assert held is not None
    machine = held.holder.split("|")[0]
    SourceFile.objects.filter(pk=file.pk).update(lease_holder=f"{machine}|99999999|1|x")
    assert not pending().exists()

    assert lease.free_dead() == 1
    assert pending().exists()


def test_the_lease_of_a_living_process_is_left_alone(a_file: Maker) -> None:
    held = lease.take(a_file().pk)

    assert held is not None
    assert lease.free_dead() == 0


def test_a_file_at_which_the_worker_dies_again_and_again_is_given_up(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()
    key = next(iter(pipeline.steps_of(file, three_steps))).key
    for _ in range(MOST_DEATHS):
        StageAttempt.objects.create(source_file=file, stage="read", version=1, key=key, outcome=Outcome.ABANDONED)

    assert ingest(file.pk) == State.FAILED
    assert three_steps[0].runs == 0
    file.refresh_from_db()
    assert "died" in file.state_detail["cause"]

    retry(SourceFile.objects.filter(pk=file.pk))
    assert ingest(file.pk) == State.READY


def test_nothing_is_written_about_a_file_that_was_taken_away_meanwhile(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()

    def lose_the_lease(source_file: SourceFile, context: object) -> None:
        SourceFile.objects.filter(pk=source_file.pk).update(state=State.QUEUED, lease_holder="", lease_until=None)

    three_steps[0].does = lose_the_lease

    assert ingest(file.pk) is None
    assert state_of(file) == State.QUEUED
    assert not file.attempts.filter(outcome=Outcome.RUNNING).exists()
    assert not Chunk.objects.filter(source_file=file).exists()


def test_a_waiting_file_is_cancelled_at_once_and_retry_takes_it_up(two_teams: TwoTeams, a_file: Maker) -> None:
    file = a_file()

    assert cancel(SourceFile.objects.filter(pk=file.pk), by=two_teams.ben) == 1
    assert state_of(file) == State.CANCELLED
    assert drain() == 0

    retry(SourceFile.objects.filter(pk=file.pk), by=two_teams.ben)
    assert ingest(file.pk) == State.READY


def test_a_running_file_is_cancelled_at_the_next_heartbeat(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()

    def cancelled_while_running(source_file: SourceFile, context: object) -> None:
        cancel(SourceFile.objects.filter(pk=source_file.pk))

    three_steps[0].does = cancelled_while_running

    assert ingest(file.pk) == State.CANCELLED
    assert three_steps[1].runs == 0
    file.refresh_from_db()
    assert not file.cancel_requested


def test_a_database_that_goes_away_is_not_a_failure_of_the_file(a_file: Maker, three_steps: Steps) -> None:
    file = a_file()
    three_steps[0].does = raising(OperationalError("server closed the connection"))

    with pytest.raises(OperationalError):
        drain()

    assert connection.in_atomic_block, "a test's own transaction: outside of one, drain waits and goes on"
    assert state_of(file) == State.CONVERTING
    assert file.lease_holder == ""
    three_steps[0].does = lambda file, context: {}
    assert drain() == 1
    assert state_of(file) == State.READY


def test_redo_from_an_unknown_stage_is_refused(a_file: Maker) -> None:
    a_file()

    with pytest.raises(ValueError, match="Stages: read, cut, index"):
        redo(SourceFile.objects.all(), since="nonsense")
