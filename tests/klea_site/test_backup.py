from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from klea_site import embedded_postgres

ROOT = Path(__file__).resolve().parent.parent.parent
FILL = """
from django.contrib.auth.models import User
from corpus.models import Domain, Membership
ada = User.objects.create_user("ada", password="a long secret")
Membership.objects.create(domain=Domain.objects.create(name="Physics", slug="physics", description="d"), user=ada)
"""
TELL = """
from django.contrib.auth.models import User
from corpus.models import Membership
print([(m.user.username, m.domain.name, m.user.check_password("a long secret")) for m in Membership.objects.all()])
"""

Manage = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def manage(tmp_path: Path) -> Manage:
    def run(var: str, *command: str) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("KLEA_", "DATABASE_URL"))}
        env |= {"KLEA_VAR": str(tmp_path / var), "DJANGO_SETTINGS_MODULE": "klea_site.settings"}
        return subprocess.run(
            [sys.executable, ROOT / "manage.py", *command], env=env, capture_output=True, text=True, check=False
        )

    return run


@pytest.fixture
def filled(tmp_path: Path, manage: Manage) -> Path:
    """A data folder with a person, a domain and two files."""
    var = tmp_path / "var"
    assert manage("var", "migrate", "-v", "0", "--skip-checks").returncode == 0
    assert manage("var", "shell", "-v", "0", "-c", FILL).returncode == 0
    (var / "files" / "ab").mkdir(parents=True)
    (var / "files" / "ab" / "abcd").write_bytes(b"%PDF-1.7 held")
    (var / "keywords").mkdir()
    (var / "keywords" / "meta.json").write_text("{}")
    return var


def told(manage: Manage, var: str) -> str:
    return manage(var, "shell", "-v", "0", "-c", TELL).stdout


@pytest.mark.slow
def test_a_restored_backup_has_the_same_people_rights_files_and_key(tmp_path: Path, manage: Manage, filled: Path) -> None:
    before = told(manage, "var")

    backup = manage("var", "backup", str(tmp_path / "kept.tar"))
    restored = manage("new", "restore", str(tmp_path / "kept.tar"))

    assert (backup.returncode, restored.returncode) == (0, 0), backup.stderr + restored.stderr
    assert told(manage, "new") == before == "[('ada', 'Physics', True)]\n"
    assert (tmp_path / "new" / "files" / "ab" / "abcd").read_bytes() == b"%PDF-1.7 held"
    assert (tmp_path / "new" / "secret_key").read_text() == (filled / "secret_key").read_text()
    assert (tmp_path / "new" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "new" / "keywords").exists()
    assert not embedded_postgres.is_running(filled)
    assert (tmp_path / "kept.tar").stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob(".klea-backup*"))


@pytest.mark.slow
def test_a_restore_refuses_what_is_not_empty_or_not_whole(tmp_path: Path, manage: Manage, filled: Path) -> None:
    kept = tmp_path / "kept.tar"
    assert manage("var", "backup", str(kept)).returncode == 0
    whole = kept.read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "changed.tar").write_bytes(whole.replace(b"%PDF-1.7 held", b"%PDF-1.7 hold"))
    (tmp_path / "letter.tar").write_text("no backup")

    said = [
        manage(*command).stderr
        for command in (
            ("var", "restore", str(kept)),
            ("new", "restore", str(tmp_path / "cut.tar")),
            ("new", "restore", str(tmp_path / "changed.tar")),
            ("new", "restore", str(tmp_path / "letter.tar")),
            ("new", "restore", str(tmp_path / "nowhere.tar")),
            ("var", "backup", str(kept)),
        )
    ]

    assert "is not empty" in said[0]
    assert "is damaged" in said[1]
    assert "is damaged (var/files/ab/abcd)" in said[2]
    assert "is no backup of Klea" in said[3]
    assert "There is no file" in said[4]
    assert "exists already" in said[5]
    assert not (tmp_path / "new" / "files").exists()
    assert manage("new", "restore", str(kept)).returncode == 0


@pytest.mark.slow
def test_a_command_on_a_folder_without_data_says_how_to_start(tmp_path: Path, manage: Manage) -> None:
    done = manage("new", "shell", "-c", "pass")

    assert done.returncode == 1
    assert done.stderr == f"klea: There is no data in {tmp_path / 'new'} yet. Start Klea first: make run.\n"


def test_a_member_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    from klea_site.backup import BackupError
    from klea_site.restore import _unpack

    bad = tmp_path / "bad.tar"
    with tarfile.open(bad, "w") as archive:
        entry = tarfile.TarInfo("var/../../out")
        entry.size = 3
        archive.addfile(entry, io.BytesIO(b"out"))

    with pytest.raises(BackupError, match="no place in one"):
        _unpack(bad, tmp_path / "a" / "fresh")

    assert not (tmp_path / "out").exists()
