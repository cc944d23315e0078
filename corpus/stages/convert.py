from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict
from typing import Any, Final

from django.conf import settings
from django.db.models.functions import Now

from corpus import blobs, converted
from corpus.converter import ConversionRequest, ConvertedDocument
from corpus.converting import errors_told, process_here
from corpus.core.media_type import PDF
from corpus.core.page_gaps import nothing_is_read, pages_of_kind, told
from corpus.models import Collection, Outcome, SourceFile, StageAttempt, State
from corpus.stage import Halt, Partial, StageContext


class Convert:
    """Convert the bytes in an isolated process.

    Reads: the held bytes. Writes: the stored conversion, pages, page_count. The same bytes under the same settings are converted
    once, for however many files.
    """

    name: Final = "convert"
    version: Final = 2
    shows: Final = State.CONVERTING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """What changes the converted document."""
        if source_file.media_type != PDF:
            return {"media_type": source_file.media_type}
        layout = source_file.collection.layout
        models = settings.CONVERSION["artifacts"] if layout == Collection.Layout.DOCLING else ""
        return {"media_type": PDF, "ocr": source_file.ocr_choice, "layout": layout, "models": models}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Convert, or find that it is converted already, and see what is missing."""
        key = self._key(source_file)
        _wait_for_twin(source_file, key, context)
        detail: dict[str, Any] = {"key": key}
        if converted.is_kept(key) and not _asked_anew(source_file):
            document = converted.read(key)
            detail["shared"] = True
        else:
            document, peak = _convert(source_file, context)
            converted.keep(key, document)
            detail["peak_bytes"] = peak
        source_file.conversion_key = key
        source_file.pages = [asdict(page) for page in document.pages]
        source_file.page_count = len(document.pages) or None
        source_file.pages_done = len(document.pages)
        source_file.save(update_fields=["conversion_key", "pages", "page_count", "pages_done"])
        _tell_what_is_missing(source_file, document)
        return detail | {"pages": len(document.pages), "warnings": list(document.warnings)[:20]}

    def _key(self, source_file: SourceFile) -> str:
        named = [source_file.content_hash, self.version, self.settings(source_file)]
        return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()


def _convert(source_file: SourceFile, context: StageContext) -> tuple[ConvertedDocument, int | None]:
    process = process_here()
    with blobs.local_copy(source_file.content_hash) as path, errors_told(process):
        request = ConversionRequest(
            path=str(path),
            media_type=source_file.media_type,
            name=source_file.name,
            ocr=source_file.ocr_choice,
            password=context.secrets.get("password"),
            layout=source_file.collection.layout,
        )
        document = process.convert(request, tick=context.heartbeat, progress=context.progress)
    return document, process.peak_bytes


def _asked_anew(source_file: SourceFile) -> bool:
    """Tell whether a person asked for another conversion: the last one of this file counts no longer."""
    last = source_file.attempts.filter(stage=Convert.name, outcome__in=[Outcome.GOOD, Outcome.PARTIAL]).first()
    return last is not None and last.key == ""


def _wait_for_twin(source_file: SourceFile, key: str, context: StageContext) -> None:
    """Wait while another file of the same bytes is being converted; of two that start at once the elder goes first."""
    while not converted.is_kept(key):
        twins = StageAttempt.objects.filter(
            stage=Convert.name,
            outcome=Outcome.RUNNING,
            source_file__content_hash=source_file.content_hash,
            source_file__lease_until__gt=Now(),
            source_file__pk__lt=source_file.pk,
        )
        if not twins.exists():
            return
        context.heartbeat()
        time.sleep(0.5)


def _tell_what_is_missing(source_file: SourceFile, document: ConvertedDocument) -> None:
    pages = document.pages
    if nothing_is_read(pages):
        if source_file.ocr_choice == Collection.Ocr.NEVER:
            raise Halt(State.NEEDS_OCR, f"None of the {len(pages)} pages has text that can be read.", "Read the file by OCR.")
        raise Halt(State.NEEDS_OCR, "OCR found no text on any page.", "Look at the pages; the scan may be too poor.")
    if unread := pages_of_kind(pages, "needs_ocr", "gibberish"):
        advice = "Read the file by OCR." if source_file.ocr_choice == Collection.Ocr.NEVER else "Look at these pages."
        failed = pages_of_kind(pages, "failed")
        cause = f"There is no readable text on {told(unread)}."
        raise Partial(cause, advice, {"pages": sorted(unread + failed)})
    if failed := pages_of_kind(pages, "failed"):
        raise Partial(f"Klea could not read {told(failed)}.", "Retry; if it happens again, save the PDF anew.", {"pages": failed})
