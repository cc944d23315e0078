"""From a PDF, or a range of its pages, to a Docling document with pages and boxes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Final

from corpus import docling_without_torch
from corpus.converter import ConversionRequest, ConvertedDocument, Corrupt
from corpus.core.layout.label import running_texts
from corpus.pdf_facts import read_facts


class GeometricPdf:
    """Converts PDFs by geometry; the keyword `options` hold what the operator set (threads)."""

    name: Final = "geometric-pdf"
    version: Final = 3
    media_types: Final = frozenset({"application/pdf"})

    def __init__(self, *, threads: int = 2) -> None:
        self._threads = threads

    def convert(self, request: ConversionRequest) -> ConvertedDocument:
        """Convert the pages of `request.pages`, or all; running heads are recognised over the whole file."""
        pages, info = read_facts(request.path, request.password)
        edges = info.pop("edges")
        first, last = request.pages or (1, len(pages))
        options = self._options(request, frozenset(running_texts(edges)), [page.kind for page in pages[first - 1 : last]])
        has_text = any(page.characters for page in pages[first - 1 : last])
        result = self._run(request, options, (first, last), has_text=has_text)
        info["lines"] = _lines_by_page(result)
        document = result.document.export_to_dict()
        told = tuple(str(error.error_message) for error in result.errors)
        return ConvertedDocument(
            document=document, pages=pages[first - 1 : last], warnings=told, info={**info, "converter": self.name}
        )

    def _options(self, request: ConversionRequest, running: frozenset[str], kinds: list[str]) -> Any:
        docling_without_torch.prepare()
        from docling.datamodel.accelerator_options import AcceleratorDevice, AcceleratorOptions
        from docling.datamodel.pipeline_options import ThreadedPdfPipelineOptions

        from corpus.converters.geometric_pdf.layout_engine import GeometricLayoutOptions

        needs_ocr = request.ocr == "always" or (
            request.ocr == "auto" and any(kind in {"needs_ocr", "gibberish"} for kind in kinds)
        )
        options = ThreadedPdfPipelineOptions(
            do_ocr=needs_ocr,
            do_table_structure=False,
            generate_page_images=False,
            layout_options=GeometricLayoutOptions(running=running),
            accelerator_options=AcceleratorOptions(num_threads=self._threads, device=AcceleratorDevice.CPU),
        )
        options.generate_parsed_pages = True
        if needs_ocr:
            self._add_ocr(options, request)
        return options

    def _add_ocr(self, options: Any, request: ConversionRequest) -> None:
        from corpus.ocr_options import ocr_options

        docling_without_torch.processor_only()
        options.ocr_options = ocr_options(request.ocr_engine, every_page=request.ocr == "always")

    def _run(self, request: ConversionRequest, options: Any, pages: tuple[int, int], *, has_text: bool) -> Any:
        """Run Docling's pipeline; what its own parser can't read is read by pdfium's, which forgives more.

        A parser that finds no word where there are some hasn't read the file either.
        """
        from docling.backend.docling_parse_backend import DoclingParseDocumentBackend
        from docling.backend.pypdfium2_backend import PyPdfiumDocumentBackend
        from docling.exceptions import ConversionError as DoclingError

        last: Exception | None = None
        for parser in (DoclingParseDocumentBackend, PyPdfiumDocumentBackend):
            try:
                result = self._run_with(parser, request, options, pages)
            except DoclingError as error:
                last = error
                continue
            if result.document.texts or not has_text or parser is PyPdfiumDocumentBackend:
                return result
        raise Corrupt("The PDF can't be read: its pages are damaged.") from last

    def _run_with(self, parser: Any, request: ConversionRequest, options: Any, pages: tuple[int, int]) -> Any:
        from docling.datamodel.backend_options import PdfBackendOptions
        from docling.datamodel.base_models import InputFormat
        from docling.document_converter import DocumentConverter, PdfFormatOption

        from corpus.converters.geometric_pdf.pipeline import GeometricPdfPipeline

        backend = PdfBackendOptions(password=request.password) if request.password else PdfBackendOptions()
        choice = PdfFormatOption(
            pipeline_cls=GeometricPdfPipeline, pipeline_options=options, backend=parser, backend_options=backend
        )
        converter = DocumentConverter(allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: choice})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return converter.convert(Path(request.path), raises_on_error=True, page_range=pages)


def _lines_by_page(result: Any) -> dict[str, list[list[Any]]]:
    """Return the text lines of each page with their boxes: [text, left, top, right, bottom], origin top left."""
    found: dict[str, list[list[Any]]] = {}
    for page in result.pages:
        height = page.size.height
        rows = []
        for cell in page.cells or []:
            box = cell.rect.to_bounding_box().to_top_left_origin(height)
            if cell.text.strip():
                rows.append([cell.text, round(box.l, 1), round(box.t, 1), round(box.r, 1), round(box.b, 1)])
        found[str(page.page_no)] = rows
    return found
