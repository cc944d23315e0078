from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from corpus import blobs
from corpus.converting import errors_told, process_here
from corpus.core.media_type import PDF
from corpus.core.page_gaps import nothing_is_read, pages_of_kind
from corpus.models import Collection, SourceFile, State
from corpus.stage import Halt, StageContext, StageError


class Precheck:
    """Look at a PDF before it is converted: is it protected, damaged, without text?

    Reads: the held bytes. Writes: pages and page_count. Halts for a password, and for OCR where no page has text.
    """

    name: Final = "precheck"
    version: Final = 1
    shows: Final = State.CONVERTING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """Whether OCR is allowed decides whether a scan halts."""
        return {"ocr": source_file.ocr_choice} if source_file.media_type == PDF else {}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Ask the conversion process for facts of the pages."""
        if source_file.media_type != PDF:
            return {"skipped": "not a PDF"}
        process = process_here()
        with blobs.local_copy(source_file.content_hash) as path, errors_told(process):
            pages, info = process.facts(str(path), password=context.secrets.get("password"), tick=context.heartbeat)
        if not pages:
            raise StageError("The PDF has no pages.", advice="Export it again.", detail={"kind": "Corrupt"})
        source_file.pages = [asdict(page) for page in pages]
        source_file.page_count = len(pages)
        source_file.save(update_fields=["pages", "page_count"])
        unread = pages_of_kind(pages, "needs_ocr", "gibberish")
        if nothing_is_read(pages) and source_file.ocr_choice == Collection.Ocr.NEVER:
            raise Halt(State.NEEDS_OCR, f"None of the {len(pages)} pages has text that can be read.", "Read the file by OCR.")
        hidden = sum(page.hidden_characters for page in pages)
        return {
            "pages": len(pages),
            "without_text": unread,
            "hidden_characters": hidden,
            "encrypted": bool(info.get("encrypted")),
        }
