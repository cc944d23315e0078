"""A PDF of a few lines, written out by hand, so that tests need no file of others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def pdf_of(path: Path, pages: Sequence[str], *, size: int = 12) -> Path:
    """Write a PDF with one line of text a page (in Helvetica, at 72, 720) and return its path."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        stream = f"BT /F1 {size} Tf 72 600 Td ({escaped}) Tj ET"
        fonts = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {fonts} /Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    written = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\n"
    path.write_bytes(written + f"{end}startxref\n{len(written)}\n%%EOF\n".encode("latin-1"))
    return path
