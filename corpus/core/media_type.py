"""What a file is, found from its bytes; its name only decides between kinds of text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Kind:
    """A kind of file that can be converted.

    Attributes:
        media_type: as it is stored and as converters declare it.
        label: for people.
        extensions: small letters, with the dot; the first is the usual one.
    """

    media_type: str
    label: str
    extensions: tuple[str, ...]


OOXML: Final = "application/vnd.openxmlformats-officedocument"
ODF: Final = "application/vnd.oasis.opendocument"
PDF: Final = "application/pdf"
HTML: Final = "text/html"

KINDS: Final[tuple[Kind, ...]] = (
    Kind(PDF, "PDF", (".pdf",)),
    Kind("text/markdown", "Markdown", (".md", ".markdown", ".qmd", ".rmd")),
    Kind(HTML, "HTML page", (".html", ".htm", ".xhtml")),
    Kind("text/plain", "plain text", (".txt", ".text")),
    Kind(f"{OOXML}.wordprocessingml.document", "Word document", (".docx", ".dotx", ".docm", ".dotm")),
    Kind(
        f"{OOXML}.presentationml.presentation", "PowerPoint presentation", (".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm")
    ),
    Kind(f"{OOXML}.spreadsheetml.sheet", "Excel workbook", (".xlsx", ".xlsm")),
    Kind(f"{ODF}.text", "OpenDocument text", (".odt",)),
    Kind(f"{ODF}.presentation", "OpenDocument presentation", (".odp",)),
    Kind(f"{ODF}.spreadsheet", "OpenDocument spreadsheet", (".ods",)),
    Kind("text/csv", "CSV table", (".csv",)),
    Kind("text/asciidoc", "AsciiDoc", (".adoc", ".asciidoc", ".asc")),
    Kind("application/jats+xml", "JATS article", (".nxml", ".xml")),
    Kind("application/x-latex", "LaTeX source", (".tex", ".latex")),
    Kind("application/epub+zip", "EPUB book", (".epub",)),
    Kind("message/rfc822", "e-mail", (".eml",)),
    Kind("text/vtt", "WebVTT subtitles", (".vtt",)),
    Kind("application/vnd.docling+json", "Docling document", (".json",)),
)
BY_EXTENSION: Final = {extension: kind for kind in KINDS for extension in kind.extensions}
BY_MEDIA_TYPE: Final = {kind.media_type: kind for kind in KINDS}

HEAD_BYTES: Final = 65_536

_FOREIGN: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\xd0\xcf\x11\xe0", "a file of an old Office format (or a protected Office file)"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript file"),
)
_HTML: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_JATS: Final = re.compile(rb"<(?:[a-z]+:)?article[\s>]|<!DOCTYPE\s+article|-//NLM//DTD", re.IGNORECASE)
_TEXT_KINDS: Final = {
    "text/markdown",
    "text/plain",
    "text/csv",
    "text/asciidoc",
    "application/x-latex",
    "message/rfc822",
    "text/vtt",
    HTML,
    "application/jats+xml",
    "application/vnd.docling+json",
}


class Refused(ValueError):  # noqa: N818 -- read as a sentence at the place where it is raised
    """A file that is not taken; `code` for programs, the message (cause and what to do) for people."""

    def __init__(self, code: str, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.code = code
        self.cause = cause
        self.advice = advice


def extension_of(name: str) -> str:
    """Return the extension of `name` in small letters with its dot, or an empty text."""
    last = name.rsplit("/", 1)[-1]
    return "." + last.rsplit(".", 1)[1].lower() if "." in last[1:] else ""


def supported_names() -> str:
    """List the usual extensions for a message."""
    return ", ".join(kind.extensions[0] for kind in KINDS)


def kind_by_name(name: str) -> Kind:
    """Return the kind that the extension promises.

    Raises:
        Refused: no converter reads files of that extension.
    """
    extension = extension_of(name)
    if kind := BY_EXTENSION.get(extension):
        return kind
    told = f"Files of type {extension}" if extension else "Files without an extension"
    raise Refused("unknown_type", f"{told} can't be read.", f"Klea reads {supported_names()}.")


def name_by_bytes(name: str, head: bytes) -> str:
    """Give a name without a known extension the one that its bytes call for: PDFs and HTML pages come so from the web.

    >>> name_by_bytes("1706.03762", b"%PDF-1.5"), name_by_bytes("a.md", b"%PDF-1.5")
    ('1706.03762.pdf', 'a.md')
    """
    if extension_of(name) in BY_EXTENSION or extension_of(name) == ".zip":
        return name
    if b"%PDF-" in head[:1024]:
        return f"{name}.pdf"
    return f"{name}.html" if _HTML.search(head[:4096]) else name


def kind_by_bytes(head: bytes, name: str, *, members: Sequence[str] = ()) -> Kind:
    """Return what the file is, and refuse a file whose bytes are not what its name promises.

    Args:
        head: the first `HEAD_BYTES` bytes.
        name: the file's name.
        members: names in it, where it is a ZIP archive.

    Raises:
        Refused: empty, of an unknown kind, or another kind than its name says.
    """
    promised = kind_by_name(name)
    if not head:
        raise Refused("empty", "The file is empty (0 bytes).", "Copy or download it again.")
    if promised.media_type == PDF:
        return _pdf(head, promised)
    if head.startswith(b"PK\x03\x04"):
        return _zipped(head, members, promised)
    _refuse_foreign(head, promised)
    return _text(head, promised)


def _pdf(head: bytes, promised: Kind) -> Kind:
    if b"%PDF-" in head[:1024]:
        return promised
    if _HTML.search(head[:4096]):
        raise Refused(
            "not_a_pdf",
            "The file is named .pdf, but its bytes are an HTML page (often a saved sign-in or error page).",
            "Download the PDF again, or rename the file to .html if the page is what you want.",
        )
    found = next((label for magic, label in _FOREIGN if head.startswith(magic)), "no PDF")
    raise Refused("not_a_pdf", f"The file is named .pdf, but its bytes are {found}.", "Download or export it again.")


def _zipped(head: bytes, members: Sequence[str], promised: Kind) -> Kind:
    found = _kind_by_mimetype_member(head) or _kind_of_members(members)
    if found is None:
        raise Refused("unknown_type", "The file is a ZIP archive of an unknown kind.", "Unpack it, or upload it as .zip.")
    if found.media_type != promised.media_type:
        raise _mismatch(promised, f"a {found.label}", found.extensions[0])
    return found


def _kind_by_mimetype_member(head: bytes) -> Kind | None:
    """Read the uncompressed first member that OpenDocument and EPUB begin with."""
    if head[30:38] != b"mimetype":
        return None
    length = int.from_bytes(head[22:26], "little")
    return BY_MEDIA_TYPE.get(head[38 : 38 + length].decode("ascii", "replace").strip())


def _kind_of_members(members: Sequence[str]) -> Kind | None:
    names = set(members)
    for start, media_type in (
        ("word/", f"{OOXML}.wordprocessingml.document"),
        ("ppt/", f"{OOXML}.presentationml.presentation"),
        ("xl/", f"{OOXML}.spreadsheetml.sheet"),
    ):
        if any(name.startswith(start) for name in names):
            return BY_MEDIA_TYPE[media_type]
    return BY_MEDIA_TYPE["application/epub+zip"] if "META-INF/container.xml" in names else None


def _refuse_foreign(head: bytes, promised: Kind) -> None:
    if b"%PDF-" in head[:16]:
        raise _mismatch(promised, "a PDF", ".pdf")
    for magic, label in _FOREIGN:
        if head.startswith(magic):
            raise _mismatch(promised, label, "")


def _text(head: bytes, promised: Kind) -> Kind:
    if promised.media_type not in _TEXT_KINDS:
        raise _mismatch(promised, "text", ".txt")
    if b"\x00" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")) and not _looks_like_utf16(head):
        raise Refused(
            "binary", f"The file is named as {promised.label}, but holds binary data.", "Check that it is the right file."
        )
    if promised.media_type == "application/jats+xml" and not _JATS.search(head):
        raise Refused("unknown_type", "The XML file is no JATS article.", "Klea reads journal articles in JATS XML only.")
    if promised.media_type == "application/vnd.docling+json" and b"DoclingDocument" not in head:
        raise Refused("unknown_type", "The JSON file is no Docling document.", "Klea reads JSON exported by Docling only.")
    return promised


def _looks_like_utf16(head: bytes) -> bool:
    """Tell whether every second byte of the beginning is zero, as in UTF-16 without a byte order mark."""
    sample = head[:512]
    even, odd = sample[0::2], sample[1::2]
    half = max(1, len(sample) // 2)
    return max(even.count(0), odd.count(0)) / half > 0.4 and min(even.count(0), odd.count(0)) / half < 0.05


def _mismatch(promised: Kind, found: str, extension: str) -> Refused:
    advice = f"Rename it to {extension}, or check that it is the right file." if extension else "Check that it is the right file."
    return Refused("wrong_type", f"The file is named as {promised.label}, but its bytes are {found}.", advice)
