"""Files without pages (and slides), through Docling's own readers; none of them needs weights."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Final

from corpus import docling_without_torch
from corpus.converter import ConversionRequest, ConvertedDocument, Corrupt, NoText, UnsupportedType

OOXML: Final = "application/vnd.openxmlformats-officedocument"
ODF: Final = "application/vnd.oasis.opendocument"
FORMATS: Final = {
    "text/markdown": "md",
    "text/plain": "md",
    "text/html": "html",
    f"{OOXML}.wordprocessingml.document": "docx",
    f"{OOXML}.presentationml.presentation": "pptx",
    f"{OOXML}.spreadsheetml.sheet": "xlsx",
    f"{ODF}.text": "odt",
    f"{ODF}.presentation": "odp",
    f"{ODF}.spreadsheet": "ods",
    "text/csv": "csv",
    "text/asciidoc": "asciidoc",
    "application/jats+xml": "xml_jats",
    "application/x-latex": "latex",
    "application/epub+zip": "epub",
    "message/rfc822": "email",
    "text/vtt": "vtt",
    "application/vnd.docling+json": "json_docling",
}
ENDINGS: Final = {"md": "md", "asciidoc": "adoc", "xml_jats": "nxml", "latex": "tex", "email": "eml", "json_docling": "json"}


class DoclingFormats:
    """Converts what Docling reads without a layout model."""

    name: Final = "docling-formats"
    version: Final = 1
    media_types: Final = frozenset(FORMATS)

    def __init__(self, *, threads: int = 2) -> None:
        self._threads = threads

    def convert(self, request: ConversionRequest) -> ConvertedDocument:
        """Convert the whole file; `pages` doesn't apply.

        Raises:
            UnsupportedType: the media type isn't one of `media_types`.
            NoText: the file has no words.
            Corrupt: Docling can't read it.
        """
        if request.media_type not in FORMATS:
            raise UnsupportedType(f"{request.name} is of a type that is not converted ({request.media_type}).")
        if Path(request.path).stat().st_size == 0:
            raise Corrupt("The file is empty (0 bytes).")
        document = self._run(request, FORMATS[request.media_type])
        told = document.export_to_dict()
        if not document.texts and not document.tables:
            raise NoText(f"{request.name} holds no text.")
        return ConvertedDocument(document=told, info={"converter": self.name, "title": _title(document)})

    def _run(self, request: ConversionRequest, wanted: str) -> Any:
        docling_without_torch.prepare()
        from docling.datamodel.base_models import DocumentStream, InputFormat
        from docling.document_converter import DocumentConverter
        from docling.exceptions import ConversionError as DoclingError

        stem = Path(request.name).stem or "file"
        source = DocumentStream(name=f"{stem}.{ENDINGS.get(wanted, wanted)}", stream=_stream(request))
        converter = DocumentConverter(allowed_formats=[InputFormat(wanted)])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return converter.convert(source, raises_on_error=True).document
        except DoclingError as error:
            raise Corrupt(f"{request.name} can't be read: its contents are damaged or of another type.") from error


def _stream(request: ConversionRequest) -> Any:
    """Return the bytes; text of any usual encoding becomes UTF-8, as Docling's readers want it."""
    from io import BytesIO

    content = Path(request.path).read_bytes()
    if request.media_type.startswith("text/") or request.media_type == "application/x-latex":
        content = _as_utf8(content)
    return BytesIO(content)


def _as_utf8(content: bytes) -> bytes:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace").encode("utf-8")
    try:
        return content.decode("utf-8-sig").encode("utf-8")
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes

        best = from_bytes(content).best()
        return (str(best) if best is not None else content.decode("latin-1")).encode("utf-8")


def _title(document: Any) -> str:
    from docling_core.types.doc import DocItemLabel

    titles = (item.text for item in document.texts if item.label == DocItemLabel.TITLE)
    return next((title for title in titles if title.strip()), "")
