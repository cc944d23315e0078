"""Docling's PDF pipeline with the geometric layout in place of its models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docling.datamodel.base_models import LayoutPrediction
from docling.models.base_model import BasePageModel
from docling.models.postprocessing.reading_order_rb import ReadingOrderPredictor
from docling.pipeline import standard_pdf_pipeline as standard
from docling_core.types.doc import DocItemLabel

from corpus.converters.geometric_pdf.layout_engine import GeometricLayoutEngine
from corpus.core.layout.outline import implausible


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


class AssembleWords(standard.PageAssembleModel):
    """Gives each element the words that the layout read: lines joined as a reader does, code with its line ends."""

    def __init__(self, engine: GeometricLayoutEngine) -> None:
        super().__init__(options=standard.PageAssembleOptions())
        self._engine = engine

    def __call__(self, conv_res: Any, page_batch: Iterable[Any]) -> Iterable[Any]:
        """Assemble each page, then set the words."""
        for page in super().__call__(conv_res, page_batch):
            for element in [*page.assembled.elements, *page.assembled.headers] if page.assembled else []:
                part = self._engine.parts.get((page.page_no, element.cluster.id))
                if part is not None and getattr(element, "text", None) is not None:
                    element.text = part.text
            yield page


class LayoutOrder(ReadingOrderPredictor):
    """Keeps the order in which the layout numbered its clusters."""

    def predict_reading_order(self, page_elements: list[Any], page_separators: list[Any] | None = None) -> list[Any]:
        """Return the elements page by page, as numbered."""
        return sorted(page_elements, key=lambda one: (one.page_no, int(one.ref.cref.rsplit("/", 1)[-1])))


class LayoutReading(standard.ReadingOrderModel):
    """Puts the pages together, once headings that aren't plausible over the whole have become text."""

    def __init__(self, engine: GeometricLayoutEngine) -> None:
        super().__init__(options=standard.ReadingOrderOptions())
        self.ro_model = LayoutOrder()
        self._engine = engine

    def __call__(self, conv_res: Any, **limits: Any) -> Any:
        """Make the document."""
        parts = self._engine.parts
        elements = [one for one in conv_res.assembled.elements if (one.page_no, one.cluster.id) in parts]
        for place in implausible([parts[one.page_no, one.cluster.id] for one in elements]):
            elements[place].label = elements[place].cluster.label = DocItemLabel.TEXT
        return super().__call__(conv_res, **limits)


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
        engine = GeometricLayoutEngine(options=options.layout_options)
        self.layout_postprocessing_model = LayoutAfterOcr(engine)
        self.form_field_model = standard.PdfFormFieldModel(enabled=options.extract_form_fields)
        self.table_model = NoTables()
        self.assemble_model = AssembleWords(engine)
        self.reading_order_model = LayoutReading(engine)
        self.heading_hierarchy_model = standard.HeadingHierarchyModel(options=options.heading_hierarchy_options)
        self.enrichment_pipe: list[Any] = []
        self.keep_backend = False
