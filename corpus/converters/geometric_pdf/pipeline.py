"""Docling's PDF pipeline with the geometric layout in place of its models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docling.datamodel.base_models import LayoutPrediction
from docling.models.base_model import BasePageModel
from docling.pipeline import standard_pdf_pipeline as standard

from corpus.converters.geometric_pdf.layout_engine import GeometricLayoutEngine


class NoTables(BasePageModel):
    """Leaves tables to the blocks of their text."""

    def __call__(self, conv_res: Any, page_batch: Iterable[Any]) -> Iterable[Any]:
        """Hand the pages on."""
        yield from page_batch


class LaterLayout(GeometricLayoutEngine):
    """Finds nothing yet: the layout waits until OCR has added its text."""

    def predict_layout(self, conv_res: Any, pages: Any) -> list[LayoutPrediction]:
        """Return empty predictions."""
        return [LayoutPrediction(clusters=[]) for _ in pages]


class LayoutAfterOcr(BasePageModel):
    """Runs the layout where Docling post-processes it, which is after OCR."""

    def __init__(self, engine: GeometricLayoutEngine) -> None:
        self._engine = engine

    def __call__(self, conv_res: Any, page_batch: Iterable[Any]) -> Iterable[Any]:
        """Set each page's layout."""
        yield from self._engine(conv_res, page_batch)


class GeometricPdfPipeline(standard.StandardPdfPipeline):
    """The standard pipeline with no weights: geometric layout, no table model, no enrichment."""

    def _init_models(self) -> None:
        options = self.pipeline_options
        self.keep_images = options.generate_page_images or options.generate_picture_images
        self.preprocessing_model = standard.PagePreprocessingModel(
            options=standard.PagePreprocessingOptions(
                images_scale=options.images_scale,
                skip_cell_extraction=standard.resolve_skip_cell_extraction(options),
                capture_reading_order_separators=options.use_reading_order_separators,
            )
        )
        self.ocr_model = self._make_ocr_model(self.artifacts_path)
        self.layout_model = LaterLayout(options=options.layout_options)
        self.layout_postprocessing_model = LayoutAfterOcr(GeometricLayoutEngine(options=options.layout_options))
        self.form_field_model = standard.PdfFormFieldModel(enabled=options.extract_form_fields)
        self.table_model = NoTables()
        self.assemble_model = standard.PageAssembleModel(options=standard.PageAssembleOptions())
        self.reading_order_model = standard.ReadingOrderModel(
            options=standard.ReadingOrderOptions(use_page_separators=options.use_reading_order_separators)
        )
        self.heading_hierarchy_model = standard.HeadingHierarchyModel(options=options.heading_hierarchy_options)
        self.enrichment_pipe: list[Any] = []
        self.keep_backend = False
