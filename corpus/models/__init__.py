"""Rows of the library."""

from __future__ import annotations

from corpus.models.candidate import Candidate
from corpus.models.chunk import Chunk
from corpus.models.collection import Collection
from corpus.models.domain import Domain
from corpus.models.filter_field import FilterField
from corpus.models.membership import Membership, Role
from corpus.models.metadata_entry import MetadataEntry
from corpus.models.registrar_answer import RegistrarAnswer
from corpus.models.review_event import ReviewEvent
from corpus.models.source_file import SourceFile, State
from corpus.models.stage_attempt import Outcome, StageAttempt

__all__ = [
    "Candidate",
    "Chunk",
    "Collection",
    "Domain",
    "FilterField",
    "Membership",
    "MetadataEntry",
    "Outcome",
    "RegistrarAnswer",
    "ReviewEvent",
    "Role",
    "SourceFile",
    "StageAttempt",
    "State",
]
