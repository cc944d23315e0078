"""Which engine reads pictures of pages: Tesseract where it is installed, else RapidOCR, whose weights are in its wheel."""

from __future__ import annotations

import shutil
from typing import Any

from corpus.converter import ConversionError


class NoOcrEngine(ConversionError):  # noqa: N818
    """There is no such OCR engine on this machine."""

    advice = "Install Tesseract (package tesseract-ocr), or choose the engine 'rapidocr' or 'auto'."


def ocr_options(engine: str, *, every_page: bool) -> Any:  # Docling's options
    """Return Docling's options for an engine: auto, tesseract or rapidocr.

    Raises:
        NoOcrEngine: the engine isn't known or not installed.
    """
    from docling.datamodel.pipeline_options import OcrMode, RapidOcrOptions, TesseractCliOcrOptions

    if engine == "auto":
        engine = "tesseract" if shutil.which("tesseract") else "rapidocr"
    if engine == "tesseract" and shutil.which("tesseract"):
        made: Any = TesseractCliOcrOptions(lang=["eng"])
    elif engine == "rapidocr":
        made = RapidOcrOptions(backend="onnxruntime")
    else:
        raise NoOcrEngine(f"The OCR engine '{engine}' is not on this machine.")
    made.mode = OcrMode.FULL_PAGE
    made.force_full_page_ocr = every_page
    return made
