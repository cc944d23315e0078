"""Print the handbook as one PDF, through headless Chromium: ``python -m klea_site.handbook_print`` (make handbook)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from markdown_it import MarkdownIt

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "handbook"
TARGET = FOLDER / "klea-handbook.pdf"
STYLE = """
@page { size: A4; margin: 22mm 20mm; }
body { font: 11pt/1.5 'DejaVu Serif', Georgia, serif; color: #1d2126; }
h1 { font-size: 20pt; break-before: page; }
section h1 { break-before: auto; font-size: 30pt; margin-top: 25%; } h2 { font-size: 13pt; margin-top: 1.4em; }
code { font: 9.5pt 'DejaVu Sans Mono', monospace; }
pre { background: #f4f2ec; padding: 8pt 10pt; white-space: pre-wrap; } pre code { font-size: 8.5pt; }
table { border-collapse: collapse; }
th, td { border-bottom: 0.5pt solid #c9c3b5; padding: 3pt 12pt 3pt 0; text-align: left; vertical-align: top; }
"""
ABSTRACT = """<h2>Abstract</h2><p>Klea answers questions over a group's own documents, with citations that can be checked.
This handbook tells readers how to ask and check answers, curators how to add documents and review their metadata, managers how to
set domains up, programmers how to use the API, and operators how to run, back up and update Klea.</p>"""
COVER = "<section><h1>Klea's handbook</h1><p>The Klea developers</p><p>2026</p>" + ABSTRACT + "</section>"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def main() -> int:
    """Write docs/handbook/klea-handbook.pdf; returns the exit code."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.stderr.write("Chromium is not installed; it prints the handbook. Install the package chromium, then try again.\n")
        return 1
    text = "\n\n".join(page.read_text(encoding="utf-8") for page in sorted(FOLDER.glob("*.md")))
    head = f"<!doctype html><meta charset=utf-8><title>Klea's handbook</title><style>{STYLE}</style>"
    page = head + COVER + MarkdownIt().enable("table").render(text)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "handbook.html"
        source.write_text(page, encoding="utf-8")
        options = [f"--user-data-dir={folder}/profile", "--no-pdf-header-footer", f"--print-to-pdf={TARGET}"]
        subprocess.run([browser, *FLAGS, *options, source.as_uri()], check=True, capture_output=True, timeout=120)
    return 0


if __name__ == "__main__":
    sys.exit(main())
