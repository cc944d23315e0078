"""The null converter: text files as paragraphs, with nothing but the standard library; for tests and as a floor."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from corpus.converter import ConversionRequest, ConvertedDocument, Corrupt, NoText


class Plain:
    """Reads text; lines that start with ``#`` are headings, blank lines end paragraphs."""

    name: Final = "plain"
    version: Final = 1
    media_types: Final = frozenset({"text/plain", "text/markdown"})

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def convert(self, request: ConversionRequest) -> ConvertedDocument:
        """Convert the file; `document` is {"paragraphs": [{"text", "headings"}]}."""
        try:
            text = Path(request.path).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise Corrupt(f"{request.name} is no UTF-8 text.") from error
        paragraphs: list[dict[str, Any]] = []
        chain: list[str] = []
        for block in (part.strip() for part in text.split("\n\n")):
            if block.startswith("#"):
                level = len(block) - len(block.lstrip("#"))
                chain = [*chain[: level - 1], block.lstrip("# ").splitlines()[0]]
            elif block:
                paragraphs.append({"text": block, "headings": list(chain)})
        if not paragraphs:
            raise NoText(f"{request.name} holds no text.")
        return ConvertedDocument(document={"paragraphs": paragraphs}, info={"converter": self.name})
