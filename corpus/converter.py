"""The contract of a converter: from the bytes of a file to a document with its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ConversionRequest:
    """What to convert, and how.

    Attributes:
        path: of the bytes, on this machine.
        media_type: found from the bytes.
        name: the file's name, for messages and metadata.
        ocr: auto (pages that need it), always or never.
        password: opens a protected file.
        pages: first and last page, from 1; None: all.
        layout: geometric or docling.
        ocr_engine: auto, or the name of one.
    """

    path: str
    media_type: str
    name: str
    ocr: str = "auto"
    password: str | None = None
    pages: tuple[int, int] | None = None
    layout: str = "geometric"
    ocr_engine: str = "auto"


@dataclass(frozen=True)
class PageFacts:
    """What is known of a page.

    Attributes:
        number: from 1.
        width, height: in points.
        characters: not blank ones, of the text that was found.
        has_ink: whether anything is to be seen on it.
        kind: native, ocr, gibberish, empty, failed or needs_ocr.
        hidden_characters: text that nobody sees: invisible, tiny or off the page.
    """

    number: int
    width: float
    height: float
    characters: int
    has_ink: bool
    kind: str
    hidden_characters: int = 0


@dataclass(frozen=True)
class ConvertedDocument:
    """A converted file.

    Attributes:
        document: a DoclingDocument as JSON.
        pages: facts of each page; empty for files without pages.
        warnings: what a person should know.
        info: the PDF's own fields, its outline, the lines of the first page.
    """

    document: dict[str, Any]
    pages: tuple[PageFacts, ...] = ()
    warnings: tuple[str, ...] = ()
    info: dict[str, Any] = field(default_factory=dict)


def joined(parts: Sequence[ConvertedDocument]) -> ConvertedDocument:
    """Join the conversions of a file's page ranges, in order, into one.

    Several documents stand side by side under ``parts``; a chunker carries the headings on from one to the next. Ranges that
    failed have an empty document; their pages and warnings are kept.
    """
    if len(parts) == 1:
        return parts[0]
    good = [part for part in parts if part.document]
    lines = {page: rows for part in good for page, rows in (part.info.get("lines") or {}).items()}
    info = {**(good[0].info if good else {}), "lines": lines}
    return ConvertedDocument(
        document={"parts": [part.document for part in good]},
        pages=tuple(page for part in parts for page in part.pages),
        warnings=tuple(warning for part in parts for warning in part.warnings),
        info=info,
    )


class Converter(Protocol):
    """Converts files of some media types.

    Attributes:
        name: never changed, it is in the database.
        version: raised when the result changes.
        media_types: what it reads.
    """

    name: str
    version: int
    media_types: frozenset[str]

    def convert(self, request: ConversionRequest) -> ConvertedDocument:
        """Convert a file, or some of its pages.

        Raises:
            ConversionError: it can't be converted; says why and what to do.
        """
        ...


class ConversionError(Exception):
    """A file could not be converted."""

    retryable = False
    advice = "Check the file, then retry."


class Corrupt(ConversionError):  # noqa: N818
    """The file is damaged."""

    advice = "Export or download the file again."


class PasswordNeeded(ConversionError):  # noqa: N818
    """The file is protected, and no password or a wrong one was given."""

    advice = "Enter the file's password; it is kept only for the conversion."


class UnsupportedType(ConversionError):  # noqa: N818
    """No converter reads such files."""

    advice = "Save the file in another format."


class TooLarge(ConversionError):  # noqa: N818
    """The file is over a limit."""

    advice = "Split the file, or ask the operator to raise the limit."


class NoText(ConversionError):  # noqa: N818
    """The file has no text."""

    advice = "Convert it with OCR."


class TimedOut(ConversionError):  # noqa: N818
    """The conversion took too long and was stopped."""

    advice = "Retry; if it happens again, split the file or raise KLEA_CONVERSION_SECONDS."


class OutOfMemory(ConversionError):  # noqa: N818
    """The conversion took too much memory and was stopped."""

    advice = "Split the file, or raise KLEA_CONVERSION_MEMORY_MB."


class Crashed(ConversionError):  # noqa: N818
    """The conversion's process died."""

    advice = "Retry; if it happens again, save the file in another format."

    def __init__(self, message: str, *, signal: int | None = None) -> None:
        super().__init__(message)
        self.signal = signal
