from __future__ import annotations

from collections.abc import Callable

import pytest

from corpus.ingestion import add_file
from corpus.models import SourceFile
from tests.corpus import steps
from tests.people import TwoTeams


@pytest.fixture(autouse=True)
def three_steps(settings: object) -> tuple[steps.Step, steps.Step, steps.Step]:
    """Let ingestion run three harmless stages instead of the real ones."""
    steps.STEPS = (steps.Step("read"), steps.Step("cut", steps.one_chunk), steps.Step("index"))
    settings.INGESTION = "tests.corpus.steps.STEPS"  # type: ignore[attr-defined]
    return steps.STEPS


@pytest.fixture
def a_file(two_teams: TwoTeams) -> Callable[..., SourceFile]:
    """Return a maker of queued files in the physics papers."""

    def make(path: str = "a.md", content: bytes = b"# Title\n\nWords.") -> SourceFile:
        return add_file(two_teams.papers, path=path, content=[content], by=two_teams.ben).source_file

    return make
