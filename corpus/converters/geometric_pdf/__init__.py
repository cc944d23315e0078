"""PDFs without model weights: Docling's pipeline with a layout engine that goes by the geometry of the text."""

from __future__ import annotations

from corpus.converters.geometric_pdf.converter import GeometricPdf

__all__ = ["GeometricPdf"]
