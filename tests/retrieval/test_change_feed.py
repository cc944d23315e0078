"""Keyword indexes follow the database, whoever changes chunks and however."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction

from corpus import backend
from corpus.models import Chunk, Collection, Domain, SourceFile, State
from retrieval import change_feed
from retrieval.change_feed import Position, follow, is_behind, rebuild
from retrieval.core.keyword_query import keyword_query
from retrieval.core.selection import EVERYTHING
from retrieval.models import ChunkChange, Store
from retrieval.opening import ensure_stores, keyword_store_of
from tests.retrieval.library import add_file

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def collection() -> Collection:
    domain = Domain.objects.create(name="Physics", slug="physics")
    return Collection.objects.create(domain=domain, name="Papers", slug="papers")


@pytest.fixture
def words(collection: Collection) -> Store:
    return next(store for store in ensure_stores(collection) if store.kind == Store.Kind.BM25)


def found(store: Store, question: str) -> list[str]:
    backend_, index = keyword_store_of(store)
    run = backend_.find(index, keyword_query(question), top_k=20, selection=EVERYTHING)
    rows = Chunk.objects.in_bulk([hit.chunk_id for hit in run])
    return [rows[hit.chunk_id].text if hit.chunk_id in rows else "gone" for hit in run]


def test_new_chunks_are_found_after_following(collection: Collection, words: Store) -> None:
    add_file(collection, "a.md", ["alpha"])
    assert is_behind(words)
    follow(words)
    assert found(words, "alpha") == ["alpha"]
    assert not is_behind(words)


def test_following_twice_reads_nothing_twice(collection: Collection, words: Store) -> None:
    add_file(collection, "a.md", ["alpha"])
    follow(words)
    add_file(collection, "b.md", ["beta"])
    assert follow(words) == 1
    assert follow(words) == 0


@pytest.mark.parametrize("way", ["queryset", "rows", "file", "disabled", "removed", "raw"])
def test_what_goes_is_not_found(collection: Collection, words: Store, way: str) -> None:
    file = add_file(collection, "a.md", ["alpha"])
    add_file(collection, "b.md", ["alpha beta"])
    follow(words)
    if way == "queryset":
        Chunk.objects.filter(source_file=file).delete()
    elif way == "rows":
        file.chunks.get().delete()
    elif way == "file":
        file.delete()
    elif way == "disabled":
        Chunk.objects.filter(source_file=file).update(enabled=False)
    elif way == "removed":
        SourceFile.objects.filter(pk=file.pk).update(state=State.REMOVED)
    else:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM corpus_chunk WHERE source_file_id = %s", [file.pk])
    assert is_behind(words)
    follow(words)
    assert found(words, "alpha") == ["alpha beta"]


def test_an_edited_text_and_new_metadata_are_followed(collection: Collection, words: Store) -> None:
    file = add_file(collection, "a.md", ["alpha"], metadata={"title": "Old"})
    follow(words)
    Chunk.objects.filter(source_file=file).update(text="gamma", metadata={"title": "Modern"})
    follow(words)
    assert found(words, "alpha") == []
    assert found(words, "gamma") == ["gamma"]
    assert found(words, "old") == []
    assert found(words, "modern") == ["gamma"]


def test_a_file_that_moves_goes_from_one_index_to_the_other(collection: Collection, words: Store) -> None:
    other = Collection.objects.create(domain=collection.domain, name="Others", slug="others")
    others = next(store for store in ensure_stores(other) if store.kind == Store.Kind.BM25)
    file = add_file(collection, "a.md", ["alpha"])
    follow(words)
    follow(others)
    SourceFile.objects.filter(pk=file.pk).update(collection=other)
    follow(words)
    follow(others)
    assert (found(words, "alpha"), found(others, "alpha")) == ([], ["alpha"])


def test_a_transaction_that_ends_late_is_not_missed(collection: Collection, words: Store) -> None:
    started, go_on = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                add_file(collection, "slow.md", ["alpha slow"], metadata={"path": "slow.md"})
                started.set()
                go_on.wait(10)
        finally:
            connection.close()

    slow = threading.Thread(target=write_slowly)
    slow.start()
    started.wait(10)
    add_file(collection, "quick.md", ["alpha quick"], metadata={"path": "quick.md"})
    follow(words)
    assert found(words, "alpha") == ["alpha quick"]
    go_on.set()
    slow.join()
    assert follow(words) == 1
    assert sorted(found(words, "alpha")) == ["alpha quick", "alpha slow"]


def test_a_kill_between_batches_loses_nothing(collection: Collection, words: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    follow(words)
    monkeypatch.setattr(change_feed, "_FILES_A_TIME", 1)
    for n in range(3):
        add_file(collection, f"{n}.md", ["alpha"])

    class Killed(BaseException):
        """The process ends here."""

    def die() -> None:
        raise Killed

    with pytest.raises(Killed):
        follow(words, heartbeat=die)
    assert is_behind(words)
    assert follow(words) == 3
    assert len(found(words, "alpha")) == 3


def test_an_index_of_another_database_is_built_anew(collection: Collection, words: Store) -> None:
    add_file(collection, "a.md", ["alpha"])
    follow(words)
    store, index = keyword_store_of(words)
    position = Position.read(store.position(index))
    assert position is not None
    store.rebuild(index, iter([]), position=Position(position.snapshot, "another/1", position.taken).told())
    follow(words)
    assert found(words, "alpha") == ["alpha"]


def test_an_index_that_was_left_behind_too_long_is_built_anew(collection: Collection, words: Store) -> None:
    add_file(collection, "a.md", ["alpha"])
    follow(words)
    store, index = keyword_store_of(words)
    position = Position.read(store.position(index))
    assert position is not None
    long_ago = position.taken - change_feed.KEPT - timedelta(hours=1)
    store.rebuild(index, iter([]), position=Position(position.snapshot, position.database, long_ago).told())
    ChunkChange.objects.all().delete()
    follow(words)
    assert found(words, "alpha") == ["alpha"]


def test_a_lost_folder_is_built_anew(collection: Collection, words: Store) -> None:
    add_file(collection, "a.md", ["alpha"])
    follow(words)
    store, index = keyword_store_of(words)
    store.drop(index)
    assert is_behind(words)
    follow(words)
    assert found(words, "alpha") == ["alpha"]


def test_a_second_host_follows_by_itself(collection: Collection, words: Store, settings: object, tmp_path: Path) -> None:
    add_file(collection, "a.md", ["alpha"])
    follow(words)
    stores = settings.KEYWORD_STORES  # type: ignore[attr-defined]
    elsewhere = {**stores["tantivy"], "OPTIONS": {"folder": str(tmp_path / "second host")}}
    settings.KEYWORD_STORES = {**stores, "tantivy": elsewhere}  # type: ignore[attr-defined]
    backend.forget()
    assert is_behind(words)
    assert follow(words) == 1
    assert found(words, "alpha") == ["alpha"]


def test_a_rebuild_counts_as_a_change(collection: Collection, words: Store) -> None:
    add_file(collection, "a.md", ["alpha"])
    before = Store.objects.get(pk=words.pk).version
    assert rebuild(words) == 1
    assert Store.objects.get(pk=words.pk).version == before + 1
