"""A test collection in BEIR's form: corpus.jsonl (or .gz), queries.jsonl, qrels/test.tsv."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Qrels = dict[str, dict[str, int]]
"""Query to document to grade; 0 is not relevant."""


@dataclass(frozen=True)
class Document:
    """A document of a test collection."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class BeirSet:
    """A test collection; `queries` holds those that are judged."""

    name: str
    documents: tuple[Document, ...]
    queries: dict[str, str]
    qrels: Qrels


class NotBeir(ValueError):  # noqa: N818 -- read as a sentence
    """A folder is not in BEIR's form."""

    retryable = False
    advice = "It needs corpus.jsonl (or corpus.jsonl.gz), queries.jsonl and qrels/test.tsv."


def read_beir(folder: Path) -> BeirSet:
    """Read a folder.

    Raises:
        NotBeir: a file is missing or a line can't be read; the message names it.
    """
    documents = tuple(
        Document(str(row["_id"]), str(row.get("title") or ""), str(row.get("text") or ""))
        for row in _rows(folder, "corpus.jsonl")
    )
    qrels = _qrels(folder / "qrels" / "test.tsv")
    queries = {str(row["_id"]): str(row["text"]) for row in _rows(folder, "queries.jsonl") if str(row["_id"]) in qrels}
    if not documents or not queries:
        raise NotBeir(f"{folder} has no documents or no judged queries. {NotBeir.advice}")
    return BeirSet(folder.name, documents, queries, {key: qrels[key] for key in queries})


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for line_number, line in enumerate(_lines(folder, name), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise NotBeir(f"{folder / name}, line {line_number} is not JSON.") from error
        if not isinstance(row, dict) or "_id" not in row:
            raise NotBeir(f"{folder / name}, line {line_number} has no _id.")
        yield row


def _lines(folder: Path, name: str) -> Iterator[str]:
    plain, packed = folder / name, folder / f"{name}.gz"
    if plain.is_file():
        with plain.open(encoding="utf-8") as file:
            yield from file
    elif packed.is_file():
        with gzip.open(packed, "rt", encoding="utf-8") as file:
            yield from file
    else:
        raise NotBeir(f"There is no {name} in {folder}. {NotBeir.advice}")


def _qrels(path: Path) -> Qrels:
    if not path.is_file():
        raise NotBeir(f"There is no {path}. {NotBeir.advice}")
    found: Qrels = {}
    for line_number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        parts = line.split("\t")
        if line_number == 1 and not parts[-1].lstrip("-").isdigit():
            continue
        try:
            query, document, grade = parts
            found.setdefault(query, {})[document] = int(grade)
        except ValueError as error:
            raise NotBeir(f"{path}, line {line_number}: query, document and grade are expected, separated by tabs.") from error
    return found
