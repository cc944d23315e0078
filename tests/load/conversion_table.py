"""A table of what conversion makes of a folder of PDFs: ``python -m tests.load.conversion_table DIR``.

For each file: pages, pages with text, seconds, peak memory, and what is left of the words that pdftotext (poppler) finds, page by
page: the share found in the chunks of that page (running heads left out), and how far the order of the words agrees.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from corpus.conversion_process import ConversionProcess, Limits
from corpus.converter import ConversionError, ConversionRequest, ConvertedDocument
from corpus.core.chunk import ChunkDraft
from corpus.core.layout.label import running_texts, without_digits
from corpus.core.text import repair_text, words_of

LEAST_WORDS = 20


@dataclass(frozen=True)
class Row:
    """One file's figures; `shares` and `orders` have one number for each page with at least 20 words."""

    name: str
    state: str
    pages: int
    pages_with_text: int
    chunks: int
    headings: tuple[str, ...]
    seconds: float
    peak_mb: int
    shares: tuple[float, ...] = ()
    orders: tuple[float, ...] = ()

    def line(self) -> str:
        """Return the row of the table."""
        share = f"{min(self.shares):.3f} | {median(self.shares):.3f} | {median(self.orders):.3f}" if self.shares else " |  | "
        facts = f"{self.pages} | {self.pages_with_text} | {self.chunks} | {len(self.headings)}"
        return f"| {self.name} | {self.state} | {facts} | {self.seconds:.1f} | {self.peak_mb} | {share} |"


def main() -> None:
    """Print the table and what holds for all pages together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tokenizer", default="", help="folder with tokenizer.json; without it words are counted")
    parser.add_argument("--headings", action="store_true", help="also print the headings that were found")
    parser.add_argument("--ocr", default="never", choices=["auto", "never", "always"])
    parser.add_argument("--pages", type=Path, help="write each page's figures to this file, a JSON line a file")
    asked = parser.parse_args()
    process = ConversionProcess(Limits())
    say("| file | state | pages | with text | chunks | headings | s | MB | least share | median share | order |")
    say("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    rows = []
    for path in sorted(asked.folder.rglob("*.pdf")):
        rows.append(row_of(path, str(path.relative_to(asked.folder)), process, tokenizer=asked.tokenizer, ocr=asked.ocr))
        say(rows[-1].line())
        if asked.headings:
            say("\n".join(f"      {heading}" for heading in rows[-1].headings))
    process.close()
    if asked.pages:
        asked.pages.write_text("".join(json.dumps([row.name, row.shares, row.orders]) + "\n" for row in rows), encoding="utf-8")
    say(summary([share for row in rows for share in row.shares], [order for row in rows for order in row.orders]))


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def row_of(path: Path, name: str, process: ConversionProcess, *, tokenizer: str, ocr: str) -> Row:
    """Convert and chunk a file, and compare."""
    began = time.monotonic()
    request = ConversionRequest(path=str(path), media_type="application/pdf", name=path.name, ocr=ocr)
    try:
        converted = process.convert(request)
        peak = process.peak_bytes
        chunks = process.chunk(converted, max_tokens=256, tokenizer=tokenizer)
    except ConversionError as error:
        return Row(name, type(error).__name__, 0, 0, 0, (), time.monotonic() - began, process.peak_bytes >> 20)
    took = time.monotonic() - began
    shares, orders = compared(path, converted, chunks)
    with_text = len({page for chunk in chunks for page in chunk.pages})
    headings = tuple(dict.fromkeys(heading for chunk in chunks for heading in chunk.headings))
    return Row(name, "ok", len(converted.pages), with_text, len(chunks), headings, took, peak >> 20, shares, orders)


def compared(
    path: Path, converted: ConvertedDocument, chunks: tuple[ChunkDraft, ...]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return for each page the share of poppler's words that its chunks hold, and the agreement of the order."""
    told = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, check=False).stdout
    sheets = told.decode("utf-8", "replace").split("\f")[: len(converted.pages)]
    lines = [[line for line in sheet.splitlines() if line.strip()] for sheet in sheets]
    running = running_texts([[*page[:3], *page[-3:]] for page in lines])
    shares, orders = [], []
    for number, page in enumerate(lines, start=1):
        body = [line for line in page if without_digits(line) and without_digits(line) not in running]
        wanted = words_of(repair_text("\n".join(body)))
        found = [word for chunk in chunks if number in chunk.pages for word in _words(chunk)]
        if len(wanted) >= LEAST_WORDS:
            shares.append((Counter(wanted) & Counter(found)).total() / len(wanted))
            orders.append(order_agreement(wanted, found))
    return tuple(shares), tuple(orders)


def _words(chunk: ChunkDraft) -> list[str]:
    return words_of(" ".join([*chunk.headings, chunk.text]))


def order_agreement(first: list[str], second: list[str]) -> float:
    """Return which part of the words that stand once in both texts is in the same order: the longest such sequence."""
    once = {word for word, count in Counter(first).items() if count == 1}
    once &= {word for word, count in Counter(second).items() if count == 1}
    places = {word: place for place, word in enumerate(second)}
    tails: list[int] = []
    for word in first:
        if word in once:
            at = bisect_left(tails, places[word])
            tails[at : at + 1] = [places[word]]
    return len(tails) / len(once) if once else 1.0


def summary(shares: list[float], orders: list[float]) -> str:
    """Say what holds for all pages."""
    if not shares:
        return "No page to compare."
    ranked, order = sorted(shares), sorted(orders)
    fifth = len(ranked) // 20
    return (
        f"\n{len(ranked)} pages: share of words median {median(ranked):.4f}, 5th percentile {ranked[fifth]:.4f}; "
        f"order median {median(order):.4f}, 5th percentile {order[fifth]:.4f}"
    )


if __name__ == "__main__":
    sys.exit(main())
