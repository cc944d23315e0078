"""What Klea does with a file, in order. What it does with a question stands in the lines of `chat.answering`."""

from __future__ import annotations

from typing import Final

from corpus.stage import Stage
from corpus.stages.chunk import ChunkStage
from corpus.stages.convert import Convert
from corpus.stages.describe import Describe
from corpus.stages.fingerprint import Fingerprint
from corpus.stages.lint import Lint
from corpus.stages.precheck import Precheck
from corpus.stages.review_gate import ReviewGate
from retrieval.stages.embed import Embed
from retrieval.stages.index_keywords import IndexKeywords
from retrieval.stages.probe import Probe

INGESTION: Final[tuple[Stage, ...]] = (
    Fingerprint(),  # bytes       -> hash, type from the bytes, duplicate check
    Precheck(),  # PDF         -> text layer? password? corrupt?
    Convert(),  # bytes       -> converted document, in an isolated child process
    Describe(),  # converted   -> candidates for each metadata field
    Lint(),  # metadata    -> findings
    ReviewGate(),  # waits for a curator, if the collection asks for it
    ChunkStage(),  # converted   -> chunks with pages and boxes
    Embed(),  # chunks      -> vectors in every vector store
    IndexKeywords(),  # chunks      -> words in every keyword store
    Probe(),  # is the file findable?
)
