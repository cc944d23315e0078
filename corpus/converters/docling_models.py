"""PDFs by Docling's own models: its layout and table weights from a folder that the operator names, or from the hub."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any, Final

from corpus.converter import ConversionError, ConversionRequest, ConvertedDocument, Corrupt
from corpus.pdf_facts import read_facts


class ModelsMissing(ConversionError):  # noqa: N818
    """Docling's models can't be used on this machine."""

    advice = (
        "Choose the layout 'geometry' for the collection, or pip install 'docling-slim[models-local]==2.143.0' beside torch "
        "and name the models' folder."
    )


class DoclingModels:
    """Converts PDFs with Docling's standard pipeline."""

    name: Final = "docling-models"
    version: Final = 1
    media_types: Final = frozenset({"application/pdf"})

    def __init__(self, *, threads: int = 2, artifacts: str = "", device: str = "auto") -> None:
        self._threads = threads
        self._artifacts = artifacts
        self._device = device

    def convert(self, request: ConversionRequest) -> ConvertedDocument:
        """Convert the pages of `request.pages`, or all.

        Raises:
            ModelsMissing: torch isn't installed, or the folder of the models isn't there.
        """
        self._check()
        pages, info = read_facts(request.path, request.password)
        info.pop("edges")
        first, last = request.pages or (1, len(pages))
        document = self._run(request, (first, last))
        return ConvertedDocument(
            document=document.export_to_dict(), pages=pages[first - 1 : last], info={**info, "converter": self.name}
        )

    def _check(self) -> None:
        if importlib.util.find_spec("torch") is None:
            raise ModelsMissing("Docling's models need torch, which is not installed.")
        if self._artifacts and not Path(self._artifacts).is_dir():
            raise ModelsMissing(f"The models' folder {self._artifacts} is not there.")

    def _run(self, request: ConversionRequest, pages: tuple[int, int]) -> Any:
        from docling.datamodel.accelerator_options import AcceleratorOptions
        from docling.datamodel.backend_options import PdfBackendOptions
        from docling.datamodel.base_models import InputFormat
        from docling.datamodel.pipeline_options import ThreadedPdfPipelineOptions
        from docling.document_converter import DocumentConverter, PdfFormatOption
        from docling.exceptions import ConversionError as DoclingError

        options = ThreadedPdfPipelineOptions(
            do_ocr=request.ocr != "never",
            accelerator_options=AcceleratorOptions(num_threads=self._threads, device=self._device),
        )
        if self._artifacts:
            options.artifacts_path = self._artifacts
        backend = PdfBackendOptions(password=request.password) if request.password else PdfBackendOptions()
        choice = PdfFormatOption(pipeline_options=options, backend_options=backend)
        converter = DocumentConverter(allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: choice})
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return converter.convert(Path(request.path), raises_on_error=True, page_range=pages).document
        except DoclingError as error:
            raise Corrupt("The PDF can't be read: its pages are damaged.") from error
