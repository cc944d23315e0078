"""What stands in the engine: the fields, a chunk as a document, and the mark that says where the index stands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from retrieval.core.analysis import Term, analyse
from retrieval.keyword_store import Contents

FORM: Final = 2
_MARK: Final = 0
_PAD: Final = " "


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk with its terms."""

    chunk_id: int
    file_id: int
    label: str
    title: list[Term]
    text: list[Term]


def schema() -> Any:
    """Return the fields of an index."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", indexed=True, fast=True)
    builder.add_unsigned_field("file", indexed=True, fast=True)
    builder.add_text_field("label", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("title", tokenizer_name="whitespace")
    builder.add_text_field("text", tokenizer_name="whitespace")
    builder.add_text_field("mark", tokenizer_name="raw", index_option="basic", stored=True)
    return builder.build()


@contextmanager
def writer(index: Any, heap_bytes: int) -> Iterator[Any]:
    """Open a writer, commit at the end, and wait until segments are merged; an error rolls back."""
    opened = index.writer(heap_size=heap_bytes, num_threads=1)
    try:
        yield opened
    except BaseException:
        opened.rollback()
        raise
    opened.commit()
    opened.wait_merging_threads()


def analysed(contents: Contents, language: str) -> list[Row]:
    """Analyse all chunks of the files."""
    return [
        Row(row.chunk_id, file_id, row.label, analyse(row.title, language=language), analyse(row.text, language=language))
        for file_id, rows in contents.items()
        for row in rows
    ]


def add(writer: Any, rows: Sequence[Row], padding: int) -> None:
    """Add chunks, each padded by as many terms that nobody asks for."""
    import tantivy

    pad = [tantivy.Token(_PAD, 0, 0)] * padding
    for row in rows:
        document = tantivy.Document()
        document.add_unsigned("id", row.chunk_id)
        document.add_unsigned("file", row.file_id)
        document.add_text("label", row.label)
        document.add_pre_tokenized_text("title", tantivy.PreTokenizedString("", _tokens(row.title)))
        document.add_pre_tokenized_text("text", tantivy.PreTokenizedString("", [*pad, *_tokens(row.text)]))
        writer.add_document(document)


def _tokens(terms: list[Term]) -> list[Any]:
    from tantivy import Token

    return [Token(term.text, term.position, 0) for term in terms]


def delete(writer: Any, fields: Any, field: str, value: int) -> None:
    """Delete by a query: by term, the engine's binding makes a signed term, which matches no unsigned field."""
    import tantivy

    writer.delete_documents_by_query(tantivy.Query.term_query(fields, field, value))


def set_mark(writer: Any, fields: Any, mark: dict[str, Any]) -> None:
    """Write where the index stands as a document of its own, so that it is committed with the rest."""
    import tantivy

    delete(writer, fields, "id", _MARK)
    document = tantivy.Document()
    document.add_unsigned("id", _MARK)
    document.add_text("mark", json.dumps(mark))
    writer.add_document(document)


def mark_of(index: Any) -> dict[str, Any]:
    """Return the mark of the last commit: form, analyzer, position, padding; empty if there is none that is understood."""
    import tantivy

    searcher = index.searcher()
    found = searcher.search(tantivy.Query.term_query(index.schema, "id", _MARK), 1, count=False).hits
    if not found:
        return {}
    told: dict[str, Any] = json.loads(searcher.doc(found[0][1]).get_first("mark"))
    return told if told["form"] == FORM else {}
