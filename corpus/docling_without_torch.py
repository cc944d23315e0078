"""Let Docling run where torch is not installed.

Docling 2.143 imports its speech pipeline, and with it torch, whenever its converter is imported, and asks torch for the device
before OCR. Both are kept from it here; where torch is installed nothing is changed.
"""

from __future__ import annotations

import importlib.util
import sys
import types


def prepare() -> None:
    """Stand in for what needs torch; call it before the first import of Docling's converter."""
    if importlib.util.find_spec("torch") is not None:
        return
    name = "docling.pipeline.asr_transformers"
    if name not in sys.modules:
        stub = types.ModuleType(name)
        stub.TransformersAsrDecoder = type("TransformersAsrDecoder", (), {})  # type: ignore[attr-defined]
        sys.modules[name] = stub


def processor_only() -> None:
    """Make Docling's OCR stage run on the processor without asking torch for a better device."""
    if importlib.util.find_spec("torch") is not None:
        return
    from docling.models.stages.ocr import rapid_ocr_model

    rapid_ocr_model.decide_device = lambda *_args, **_kwargs: "cpu"
