"""Docling's HybridChunker on the embedder's own tokenizer, with the lines of the page behind each part of a chunk."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from corpus.converter import ConvertedDocument
from corpus.core.chunk import Box, ChunkDraft, ChunkKind, Span
from corpus.core.inline_text import with_inline_groups_joined
from corpus.core.line_alignment import PlacedLine, align
from corpus.core.text import normalize_text, repair_text
from corpus.core.token_limit import pieces_within

KINDS: Final[dict[str, ChunkKind]] = {"table": "table", "code": "code", "caption": "caption", "list_item": "list"}
HEADING_SHARE: Final = 0.4
TOLERANCE: Final = 2.0
SPECIAL_TOKENS: Final = 2
FENCE: Final = re.compile(r"^```[\w+-]*\s*$\n?", re.MULTILINE)


class Hybrid:
    """Chunks along the document's structure, never over the embedder's limit."""

    name: Final = "hybrid"
    version: Final = 3

    def chunk(self, converted: ConvertedDocument, *, max_tokens: int, tokenizer: str) -> tuple[ChunkDraft, ...]:
        """Return the chunks; headings that would take more than 40 % of the limit are left out of the count and the chain cut."""
        count = token_counter(tokenizer)
        lines = _lines(converted.info.get("lines") or {})
        drafts: list[ChunkDraft] = []
        carried: tuple[str, ...] = ()
        for part in converted.document.get("parts") or [converted.document]:
            document, found = _chunks_of(part, tokenizer, max_tokens)
            for one in found:
                one.meta.headings = list(one.meta.headings or carried)
                carried = tuple(one.meta.headings)
                drafts.extend(_drafts(one, document, lines, max_tokens=max_tokens, count=count, first=len(drafts)))
        return tuple(drafts)


@lru_cache(maxsize=4)
def token_counter(tokenizer: str) -> Callable[[str], int]:
    """Return a counter of tokens: the tokenizer's, special tokens left out, or words where there is no tokenizer."""
    if not tokenizer:
        return lambda text: len(text.split())
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(Path(tokenizer) / "tokenizer.json"))
    loaded.no_truncation()
    loaded.no_padding()
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)


def _chunks_of(told: dict[str, Any], tokenizer: str, max_tokens: int) -> tuple[Any, list[Any]]:
    """Return a part of the document and Docling's chunks of it."""
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.types.doc import DoclingDocument

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = DoclingDocument.model_validate(with_inline_groups_joined(told))
        counter = _docling_tokenizer(tokenizer, max_tokens - SPECIAL_TOKENS)
        chunker = HybridChunker(
            tokenizer=counter, merge_peers=True, serializer_provider=_plain_words(), always_emit_headings=True
        )
        return document, list(chunker.chunk(document))


def _plain_words() -> Any:
    """Return a serialiser that writes the words of a link without its address, and no escapes."""
    from docling_core.transforms.chunker.hierarchical_chunker import ChunkingDocSerializer, ChunkingSerializerProvider
    from docling_core.transforms.serializer.markdown import MarkdownParams, MarkdownTableSerializer

    class PlainWords(ChunkingSerializerProvider):
        """Text as a reader sees it; tables as Markdown tables."""

        def get_serializer(self, doc: Any) -> Any:
            params = MarkdownParams(
                include_hyperlinks=False,
                include_formatting=False,
                escape_html=False,
                escape_underscores=False,
                image_placeholder="",
            )
            return ChunkingDocSerializer(doc=doc, params=params, table_serializer=MarkdownTableSerializer())

    return PlainWords()


def _docling_tokenizer(tokenizer: str, limit: int) -> Any:
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer

    class Counter(BaseTokenizer):
        """Counts as the embedder does."""

        def count_tokens(self, text: str) -> int:
            return token_counter(tokenizer)(text)

        def get_max_tokens(self) -> int:
            return limit

        def get_tokenizer(self) -> Any:
            return token_counter(tokenizer)

    return Counter()


def _drafts(
    found: Any, document: Any, lines: dict[int, list[PlacedLine]], *, max_tokens: int, count: Callable[[str], int], first: int
) -> Iterable[ChunkDraft]:
    """Turn one of Docling's chunks into drafts; more than one only where it is over the limit."""
    headings = tuple(normalize_text(heading) for heading in found.meta.headings or () if heading.strip())
    if not found.text.strip():  # headings without a body: the last one is the text
        found.text, headings = (headings[-1] if headings else ""), headings[:-1]
    headings = _that_fit(headings, int(max_tokens * HEADING_SHARE), count)
    room = max(8, max_tokens - SPECIAL_TOKENS - (count(" ".join(headings)) + len(headings) if headings else 0))
    text = normalize_text(repair_text(FENCE.sub("", found.text)))
    boxes = _boxes(found.meta.doc_items, document)
    near = _lines_within(boxes, lines)
    kind = KINDS.get(found.meta.doc_items[0].label.value, "text")
    for number, piece in enumerate(pieces_within(text, room, count=count)):
        spans = align(piece, near) or ((Span(0, len(piece), tuple(boxes)),) if boxes else ())
        pages = tuple(sorted({box.page for span in spans for box in span.boxes}))
        yield ChunkDraft(first + number, piece, headings, pages, spans, count(piece), kind)


def _that_fit(headings: tuple[str, ...], limit: int, count: Callable[[str], int]) -> tuple[str, ...]:
    """Leave out the outermost headings until the chain fits; a single one that doesn't fit is shortened."""
    while len(headings) > 1 and count(" ".join(headings)) > limit:
        headings = headings[1:]
    if headings and count(headings[0]) > limit:
        return (pieces_within(headings[0], limit, count=count)[0],)
    return headings


def _boxes(items: Sequence[Any], document: Any) -> list[Box]:
    boxes = []
    for item in items:
        for place in item.prov:
            page = document.pages.get(place.page_no)
            if page is None or page.size is None:
                continue
            box = place.bbox.to_top_left_origin(page.size.height)
            boxes.append(Box(place.page_no, round(box.l, 1), round(box.t, 1), round(box.r, 1), round(box.b, 1)))
    return boxes


def _lines(told: dict[str, list[list[Any]]]) -> dict[int, list[PlacedLine]]:
    return {
        int(page): [PlacedLine(text, Box(int(page), left, top, right, bottom)) for text, left, top, right, bottom in rows]
        for page, rows in told.items()
    }


def _lines_within(boxes: Sequence[Box], lines: dict[int, list[PlacedLine]]) -> list[PlacedLine]:
    """Return the lines whose middle lies in one of the boxes, box by box."""
    found: dict[PlacedLine, None] = {}
    for box in boxes:
        for line in lines.get(box.page, ()):
            x, y = (line.box.left + line.box.right) / 2, (line.box.top + line.box.bottom) / 2
            inside = box.left - TOLERANCE <= x <= box.right + TOLERANCE and box.top - TOLERANCE <= y <= box.bottom + TOLERANCE
            if inside:
                found[line] = None
    return list(found)
