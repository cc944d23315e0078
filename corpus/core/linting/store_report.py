"""The report on chunks that are stored: five rules, a summary, and samples to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SHORT_CHUNK = 20
REQUIRED = ("file_name", "title", "year", "doi")
MOST_LISTED = 20
WINDOW = 3
SAMPLE_WIDTH = 200
NO_NAME = "(no file name)"


@dataclass(frozen=True)
class StoredChunk:
    """A chunk as a store holds it: its text (which may be of a wrong type) and its metadata."""

    text: Any
    metadata: Mapping[str, Any]

    @property
    def file_name(self) -> str:
        """The name of the file it comes from."""
        return str(self.metadata.get("file_name") or NO_NAME)


@dataclass(frozen=True)
class StoreReport:
    """What the rules say of the chunks of a store.

    Attributes:
        total: chunks; `files` and `chunks_per_file`: where they come from; `total_chars`: their length.
        empty: chunks with fewer than 20 characters: (file name, characters).
        missing_metadata: required keys that chunks of a file lack, by file.
        no_file_name: chunks without a file; `invalid_content`: chunks whose text is no text;
            `invalid_year`: years that are no number.
    """

    total: int
    files: int
    chunks_per_file: dict[str, int]
    total_chars: int
    empty: tuple[tuple[str, int], ...]
    missing_metadata: dict[str, tuple[str, ...]]
    no_file_name: int
    invalid_content: int
    invalid_year: int

    @property
    def is_clean(self) -> bool:
        """True when no rule found anything."""
        return not (self.empty or self.missing_metadata or self.no_file_name or self.invalid_content or self.invalid_year)

    def as_text(self, windows: Sequence[Sequence[StoredChunk]] = ()) -> str:
        """Return the report for people, with the sample windows; long lists are cut and say so."""
        return "\n".join([*self._summary(), *self._findings(), *_window_lines(windows)])

    def _summary(self) -> list[str]:
        counts = list(self.chunks_per_file.values())
        if not counts:
            return ["0 chunks, 0 files"]
        mean = f"{sum(counts) / len(counts):.2f}"
        return [
            f"{self.total} chunks, {self.files} files, {self.total_chars} characters",
            f"chunks per file: {min(counts)} to {max(counts)}, mean {mean}",
        ]

    def _findings(self) -> list[str]:
        if self.is_clean:
            return ["No issues found."]
        lines = _listed("chunks with hardly any text", [f"{name}: {count} characters" for name, count in self.empty])
        lines += _listed(
            "files whose chunks lack metadata", [f"{name}: {', '.join(keys)}" for name, keys in self.missing_metadata.items()]
        )
        lines += [f"{self.no_file_name} chunks without a file name"] if self.no_file_name else []
        lines += [f"{self.invalid_content} chunks whose content is no text"] if self.invalid_content else []
        return lines + ([f"{self.invalid_year} chunks whose year is no number"] if self.invalid_year else [])


def lint_store(chunks: Iterable[StoredChunk]) -> StoreReport:
    """Run the five rules on the chunks of a store."""
    held = list(chunks)
    per_file: dict[str, int] = {}
    missing: dict[str, dict[str, None]] = {}
    for chunk in held:
        per_file[chunk.file_name] = per_file.get(chunk.file_name, 0) + 1
        lacking = [key for key in REQUIRED if chunk.metadata.get(key) in (None, "", [])]
        if lacking:
            missing.setdefault(chunk.file_name, {}).update(dict.fromkeys(lacking))
    return StoreReport(
        total=len(held),
        files=len(per_file),
        chunks_per_file=per_file,
        total_chars=sum(len(chunk.text) for chunk in held if isinstance(chunk.text, str)),
        empty=tuple((chunk.file_name, _length(chunk)) for chunk in held if _length(chunk) < SHORT_CHUNK),
        missing_metadata={name: tuple(keys) for name, keys in missing.items()},
        no_file_name=sum(not chunk.metadata.get("file_name") for chunk in held),
        invalid_content=sum(not isinstance(chunk.text, str) for chunk in held),
        invalid_year=sum(_is_odd_year(chunk.metadata.get("year")) for chunk in held),
    )


def sample_windows(count: int, anchors: int, *, length: int = WINDOW) -> list[list[int]]:
    """Choose windows of neighbouring chunks at evenly spaced places, by their positions; always the same ones.

    >>> sample_windows(100, 3)
    [[25, 26, 27], [50, 51, 52], [75, 76, 77]]
    """
    if anchors <= 0 or count <= 0:
        return []
    if count <= length:
        return [list(range(count))]
    starts = (round(count * number / (anchors + 1)) for number in range(1, anchors + 1))
    return [list(range(start, min(start + length, count))) for start in starts]


def chunk_sample(chunk: StoredChunk, *, width: int = SAMPLE_WIDTH) -> str:
    """Write one chunk for review: its text, cut, and a line of its metadata."""
    text = chunk.text if isinstance(chunk.text, str) else repr(chunk.text)
    cut = text[:width] + "..." if len(text) > width else text
    facts = {
        "file": chunk.metadata.get("file_name"),
        "title": chunk.metadata.get("title"),
        "year": chunk.metadata.get("year"),
        "doi": chunk.metadata.get("doi"),
        "headings": " > ".join(chunk.metadata.get("headings") or []) or None,
    }
    return cut + "\n  " + " | ".join(f"{key}={value}" for key, value in facts.items() if value not in (None, ""))


def _length(chunk: StoredChunk) -> int:
    return len(chunk.text.strip()) if isinstance(chunk.text, str) else 0


def _is_odd_year(year: Any) -> bool:  # whatever the metadata hold
    return year is not None and (not isinstance(year, int) or isinstance(year, bool))


def _listed(heading: str, rows: Sequence[str]) -> list[str]:
    more = [f"  … and {len(rows) - MOST_LISTED} more"] if len(rows) > MOST_LISTED else []
    return [f"{len(rows)} {heading}:", *(f"  {row}" for row in rows[:MOST_LISTED]), *more] if rows else []


def _window_lines(windows: Sequence[Sequence[StoredChunk]]) -> list[str]:
    return [
        line for number, window in enumerate(windows, start=1) for line in (f"--- sample {number}", *map(chunk_sample, window))
    ]
