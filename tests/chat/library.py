"""A small library with known words: two files of physics, one of botany, written straight into the database."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import pytest

from corpus.models import Chunk, Collection, FilterField, SourceFile, State
from retrieval.search.asking import forget_vectors
from tests.people import TwoTeams
from tests.retrieval.library import index

CHANNEL = (
    "An ion channel is a protein that lets ions pass through the membrane of a cell. "
    "The sodium channel opens at -40 mV and closes within 2 ms. "
    "This closing is called inactivation."
)
PUMP = (
    "The sodium pump moves three sodium ions out of the cell and two potassium ions into it. "
    "The pump uses one molecule of ATP for each cycle."
)
ORCHID = "The bee orchid flowers in June. Its lip looks like a bee, and male bees pollinate it."
BOXES = [[3, 50.0, 100.0, 500.0, 112.0], [3, 50.0, 114.0, 500.0, 126.0], [4, 50.0, 60.0, 500.0, 72.0]]


@dataclass(frozen=True)
class Library:
    """The teams and what they hold."""

    teams: TwoTeams
    channels: Chunk
    pumps: Chunk
    orchids: Chunk


def file_in(collection: Collection, path: str, **fields: Any) -> SourceFile:
    """Hold a file that is ready."""
    digest = hashlib.sha256(path.encode()).hexdigest()
    return SourceFile.objects.create(
        collection=collection,
        path=path,
        content_hash=digest,
        size=len(path),
        state=State.READY,
        media_type="application/pdf",
        **fields,
    )


def chunk_of(file: SourceFile, text: str, ordinal: int = 0, **fields: Any) -> Chunk:
    """Hold a chunk."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Chunk.objects.create(
        source_file=file, ordinal=ordinal, text=text, text_hash=digest, token_count=len(text.split()), **fields
    )


def spans_by_sentence(text: str, boxes: list[list[float]]) -> list[dict[str, Any]]:
    """Return a span a sentence, each in one box."""
    spans, begin = [], 0
    for part, box in zip(text.split(". "), boxes, strict=True):
        spans.append({"start": begin, "end": begin + len(part) + 1, "boxes": [box]})
        begin += len(part) + 2
    return spans


@pytest.fixture
def library(two_teams: TwoTeams) -> Library:
    """Hold three chunks, in every store."""
    forget_vectors()
    FilterField.objects.create(domain=two_teams.physics, name="year", value_type="int")
    FilterField.objects.create(domain=two_teams.physics, name="authors", value_type="list")
    channels = file_in(two_teams.papers, "channels.pdf")
    pumps = file_in(two_teams.papers, "pumps.pdf")
    orchids = file_in(two_teams.herbarium, "orchids.pdf")
    held = Library(
        teams=two_teams,
        channels=chunk_of(
            channels,
            CHANNEL,
            headings=["2 Channels"],
            pages=[3, 4],
            spans=spans_by_sentence(CHANNEL, BOXES),
            metadata={
                "title": "On channels",
                "authors": ["Ada Hill", "Bo Lind"],
                "year": 2011,
                "journal": "J Mem",
                "doi": "10.1/c",
            },
        ),
        pumps=chunk_of(pumps, PUMP, pages=[1], metadata={"title": "On pumps", "authors": ["Cy Orr"], "year": 1999}),
        orchids=chunk_of(orchids, ORCHID, pages=[7], metadata={"title": "Orchids", "year": 2020}),
    )
    for file in (channels, pumps, orchids):
        index(file)
    return held
