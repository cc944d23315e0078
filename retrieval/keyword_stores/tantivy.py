"""The default keyword store: tantivy, on disk, incremental, filters in the engine.

A store's folder holds generations of its index, a file that names the present one, and a lock. A rebuild makes the next
generation beside the present one and then renames the name. A kill leaves the last commit, which says where it stands.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from retrieval.core.analysis import analyse
from retrieval.core.hit import Run, best_first
from retrieval.core.keyword_query import KeywordQuery
from retrieval.core.selection import Selection
from retrieval.keyword_store import Contents, KeywordIndex, KeywordStoreUnavailable

_HEAP_BYTES: Final = 64 * 1024 * 1024
_BULK_HEAP_BYTES: Final = 256 * 1024 * 1024
_MARK: Final = 0
_FORM: Final = 1


@dataclass
class _Reader:
    """An opened generation and the time of the commit that it shows."""

    generation: str
    index: Any
    committed: tuple[int, int]


class TantivyStore:
    """Indexes under a folder, shared by all processes of a machine."""

    def __init__(self, folder: str, *, title_weight: float = 0.3, pair_weight: float = 0.1) -> None:
        self._folder = Path(folder)
        self._title_weight = title_weight
        self._pair_weight = pair_weight
        self._readers: dict[int, _Reader] = {}
        self._opening = threading.Lock()

    @contextmanager
    def exclusive(self, index: KeywordIndex, *, wait: bool) -> Iterator[bool]:
        """Hold the store's lock file; it is free again when its holder is killed."""
        home = self._home(index)
        home.mkdir(parents=True, exist_ok=True)
        with (home / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    def position(self, index: KeywordIndex) -> str:
        """Return the position of the last commit."""
        reader = self._reader(index)
        mark = {} if reader is None else _mark_of(reader.index)
        return str(mark["position"]) if mark.get("analyzer") == index.analyzer else ""

    def replace(self, index: KeywordIndex, contents: Contents, *, position: str) -> None:
        """Delete and add in one commit."""
        reader = self._reader(index)
        if reader is None or _mark_of(reader.index).get("analyzer") != index.analyzer:
            self.rebuild(index, [contents], position=position)
            return
        with _writer(reader.index, _HEAP_BYTES) as writer:
            for file_id in contents:
                _delete(writer, reader.index.schema, "file", file_id)
            _add(writer, contents, index.language)
            _set_mark(writer, reader.index.schema, index, position)

    def rebuild(self, index: KeywordIndex, contents: Iterable[Contents], *, position: str) -> None:
        """Build the next generation beside the present one, then name it."""
        import tantivy

        home = self._home(index)
        present = self._generation(index)
        following = str(int(present or 0) + 1)
        folder = home / following
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        made = tantivy.Index(_schema(), path=str(folder))
        with _writer(made, _BULK_HEAP_BYTES) as writer:
            for part in contents:
                _add(writer, part, index.language)
            _set_mark(writer, made.schema, index, position)
        (home / "naming").write_text(following, encoding="ascii")
        (home / "naming").replace(home / "current")
        for other in home.iterdir():
            if other.is_dir() and other.name not in {following, present}:
                shutil.rmtree(other, ignore_errors=True)

    def find(self, index: KeywordIndex, query: KeywordQuery, *, top_k: int, selection: Selection) -> Run:
        """Ask the engine."""
        reader = self._reader(index)
        if reader is None or query.is_empty or selection.is_empty:
            return ()
        asked = _Asking(reader.index.schema, self._title_weight, self._pair_weight).query(query, selection)
        searcher = reader.index.searcher()
        found = searcher.search(asked, top_k, count=False).hits
        ids = searcher.fast_field_values("id", [address for _, address in found])
        return best_first({int(chunk_id): float(score) for chunk_id, (score, _) in zip(ids, found, strict=True) if score > 0})

    def held(self, index: KeywordIndex, source_file_id: int) -> Collection[int]:
        """Ask the engine for all chunks of a file."""
        reader = self._reader(index)
        if reader is None:
            return set()
        import tantivy

        searcher = reader.index.searcher()
        of_file = tantivy.Query.term_query(reader.index.schema, "file", source_file_id)
        found = searcher.search(of_file, max(1, int(searcher.num_docs)), count=False).hits
        return {int(chunk_id) for chunk_id in searcher.fast_field_values("id", [address for _, address in found])}

    def count(self, index: KeywordIndex) -> int:
        """Count the chunks, without the mark."""
        reader = self._reader(index)
        return 0 if reader is None else max(0, int(reader.index.searcher().num_docs) - 1)

    def drop(self, index: KeywordIndex) -> None:
        """Remove the store's folder."""
        self._readers.pop(index.store_id, None)
        shutil.rmtree(self._home(index), ignore_errors=True)

    def _home(self, index: KeywordIndex) -> Path:
        return self._folder / str(index.store_id)

    def _generation(self, index: KeywordIndex) -> str:
        try:
            return (self._home(index) / "current").read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return ""

    def _reader(self, index: KeywordIndex) -> _Reader | None:
        """Return the present generation as of its last commit; None if nothing was built."""
        generation = self._generation(index)
        if not generation:
            return None
        folder = self._home(index) / generation
        try:
            told = (folder / "meta.json").stat()
            committed = (told.st_mtime_ns, told.st_ino)
            with self._opening:
                return self._opened(index, generation, folder, committed)
        except (OSError, ValueError) as error:
            raise KeywordStoreUnavailable(
                f"The keyword index in {folder} can't be read ({error}).", f"Run: manage.py rebuild_store {index.store_id}."
            ) from error

    def _opened(self, index: KeywordIndex, generation: str, folder: Path, committed: tuple[int, int]) -> _Reader:
        import tantivy

        held = self._readers.get(index.store_id)
        if held is None or held.generation != generation:
            opened = tantivy.Index.open(str(folder))
            opened.config_reader(reload_policy="manual")
            held = _Reader(generation, opened, (0, 0))
            self._readers[index.store_id] = held
        if held.committed != committed:
            held.index.reload()
            held.committed = committed
        return held


def _schema() -> Any:
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
def _writer(index: Any, heap_bytes: int) -> Iterator[Any]:
    """Open a writer, commit at the end, and wait until segments are merged; an error rolls back."""
    writer = index.writer(heap_size=heap_bytes, num_threads=1)
    try:
        yield writer
    except BaseException:
        writer.rollback()
        raise
    writer.commit()
    writer.wait_merging_threads()


def _add(writer: Any, contents: Contents, language: str) -> None:
    import tantivy

    for file_id, rows in contents.items():
        for row in rows:
            document = tantivy.Document()
            document.add_unsigned("id", row.chunk_id)
            document.add_unsigned("file", file_id)
            document.add_text("label", row.label)
            document.add_pre_tokenized_text("title", _terms(row.title, language))
            document.add_pre_tokenized_text("text", _terms(row.text, language))
            writer.add_document(document)


def _terms(text: str, language: str) -> Any:
    from tantivy import PreTokenizedString, Token

    return PreTokenizedString("", [Token(term.text, term.position, 0) for term in analyse(text, language=language)])


def _delete(writer: Any, schema: Any, field: str, value: int) -> None:
    """Delete by a query: by term, the engine's binding makes a signed term, which matches no unsigned field."""
    import tantivy

    writer.delete_documents_by_query(tantivy.Query.term_query(schema, field, value))


def _set_mark(writer: Any, schema: Any, index: KeywordIndex, position: str) -> None:
    """Write where the index stands as a document of its own, so that it is committed with the rest."""
    import tantivy

    _delete(writer, schema, "id", _MARK)
    document = tantivy.Document()
    document.add_unsigned("id", _MARK)
    document.add_text("mark", json.dumps({"form": _FORM, "analyzer": index.analyzer, "position": position}))
    writer.add_document(document)


def _mark_of(index: Any) -> dict[str, Any]:
    import tantivy

    searcher = index.searcher()
    found = searcher.search(tantivy.Query.term_query(index.schema, "id", _MARK), 1, count=False).hits
    if not found:
        return {}
    told: dict[str, Any] = json.loads(searcher.doc(found[0][1]).get_first("mark"))
    return told if told["form"] == _FORM else {}


class _Asking:
    """Writes a question in the engine's form."""

    def __init__(self, schema: Any, title_weight: float, pair_weight: float) -> None:
        import tantivy

        self._schema = schema
        self._make = tantivy.Query
        self._must = tantivy.Occur.Must
        self._should = tantivy.Occur.Should
        self._title_weight = title_weight
        self._pair_weight = pair_weight

    def query(self, query: KeywordQuery, selection: Selection) -> Any:
        """Return: the selection must hold, one of the terms must be there, terms, pairs and phrases give the score."""
        phrases = [self._make.phrase_query(self._schema, "text", list(phrase)) for phrase in query.phrases]
        scored = [self._term(term, weight) for term, weight in query.terms]
        wanted = [(self._should, part) for part in (*scored, *(self._pair(pair) for pair in query.pairs), *phrases)]
        musts = [self._unscored(part) for part in self._limits(selection)]
        if query.phrases_required:
            musts += [self._unscored(phrase) for phrase in phrases]
        if not musts:
            return self._make.boolean_query(wanted)
        return self._make.boolean_query([(self._must, self._make.boolean_query(wanted)), *((self._must, part) for part in musts)])

    def _term(self, term: str, weight: float) -> Any:
        in_text = self._make.term_query(self._schema, "text", term, "freq")
        in_title = self._make.boost_query(self._make.term_query(self._schema, "title", term, "freq"), self._title_weight)
        both = self._make.boolean_query([(self._should, in_text), (self._should, in_title)])
        return both if weight == 1.0 else self._make.boost_query(both, weight)

    def _pair(self, pair: tuple[str, str]) -> Any:
        return self._make.boost_query(self._make.phrase_query(self._schema, "text", list(pair)), self._pair_weight)

    def _limits(self, selection: Selection) -> Iterator[Any]:
        if selection.labels is not None:
            yield self._make.term_set_query(self._schema, "label", sorted(selection.labels))
        if selection.source_files is not None:
            yield self._make.term_set_query(self._schema, "file", sorted(selection.source_files))

    def _unscored(self, query: Any) -> Any:
        return self._make.const_score_query(query, 0.0)
