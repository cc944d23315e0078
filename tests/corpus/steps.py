"""Stages for tests: they write down what they did, and can be told to fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corpus.models import Chunk, SourceFile, State
from corpus.stage import StageContext


class Step:
    """A stage that does what a function says."""

    version = 1

    def __init__(self, name: str, does: Callable[[SourceFile, StageContext], Any] = lambda file, context: None) -> None:
        self.name = name
        self.shows = State.CONVERTING
        self.does = does
        self.runs = 0
        self.knobs: dict[str, Any] = {}
        self.forgotten: list[int] = []

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        return self.knobs

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        self.runs += 1
        found = self.does(source_file, context)
        return found if isinstance(found, dict) else {}

    def forget(self, source_file: SourceFile) -> None:
        self.forgotten.append(source_file.pk)


def one_chunk(source_file: SourceFile, context: StageContext) -> None:
    Chunk.objects.update_or_create(source_file=source_file, ordinal=0, defaults={"text": source_file.path, "text_hash": "0" * 64})


def raising(error: Exception) -> Callable[[SourceFile, StageContext], Any]:
    def does(source_file: SourceFile, context: StageContext) -> None:
        raise error

    return does


STEPS = (Step("read"), Step("cut", one_chunk), Step("index"))
