"""The stages in their order, and the key under which each attempt is remembered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from corpus.models import SourceFile
from corpus.stage import Stage


@dataclass(frozen=True)
class Step:
    """A stage with the key of this file's attempt: the bytes, the versions and settings of this stage and of those before it."""

    stage: Stage
    key: str


def stages() -> Sequence[Stage]:
    """Return the stages that setting INGESTION names."""
    found: Sequence[Stage] = import_string(settings.INGESTION)
    return found


def steps_of(source_file: SourceFile, chosen: Sequence[Stage]) -> Iterator[Step]:
    """Give the steps one by one; a key is made when its turn comes, for it may depend on what the steps before it wrote."""
    chain = source_file.content_hash
    for stage in chosen:
        chain = _key(chain, stage, source_file)
        yield Step(stage, chain)


def _key(chain: str, stage: Stage, source_file: SourceFile) -> str:
    told = json.dumps([chain, stage.name, stage.version, stage.settings(source_file)], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()
