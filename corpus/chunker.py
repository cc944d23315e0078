"""The contract of a chunker: from a converted document to the units that are embedded, ranked and cited."""

from __future__ import annotations

from typing import Protocol

from corpus.converter import ConvertedDocument
from corpus.core.chunk import ChunkDraft


class Chunker(Protocol):
    """Cuts a converted document.

    Attributes:
        name: never changed, it is in the database.
        version: raised when the result changes.
    """

    name: str
    version: int

    def chunk(self, converted: ConvertedDocument, *, max_tokens: int, tokenizer: str) -> tuple[ChunkDraft, ...]:
        """Return the chunks in reading order, ordinals from 0.

        Args:
            converted: of a converter that this chunker reads.
            max_tokens: no chunk is longer, headings included; longer unbroken strings are split.
            tokenizer: a folder with ``tokenizer.json``, the embedder's; empty: words are counted.
        """
        ...
