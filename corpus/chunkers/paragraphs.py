"""The null chunker: paragraphs of the plain converter, split by words where they are too long."""

from __future__ import annotations

from typing import Final

from corpus.converter import ConvertedDocument
from corpus.core.chunk import ChunkDraft, Span
from corpus.core.text import normalize_text, repair_text
from corpus.core.token_limit import pieces_within


class Paragraphs:
    """One chunk a paragraph."""

    name: Final = "paragraphs"
    version: Final = 1

    def chunk(self, converted: ConvertedDocument, *, max_tokens: int, tokenizer: str) -> tuple[ChunkDraft, ...]:
        """Return the chunks; words are counted, whatever the tokenizer."""
        drafts: list[ChunkDraft] = []
        for paragraph in converted.document["paragraphs"]:
            text = normalize_text(repair_text(paragraph["text"]))
            for piece in pieces_within(text, max_tokens, count=lambda part: len(part.split())):
                headings = tuple(paragraph["headings"])
                spans = (Span(0, len(piece)),)
                drafts.append(ChunkDraft(len(drafts), piece, headings, spans=spans, token_count=len(piece.split())))
        return tuple(drafts)
