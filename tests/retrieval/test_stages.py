"""The last three stages of a file: embedded, indexed, probed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from corpus.backend import from_settings
from corpus.models import Chunk, Collection, SourceFile
from corpus.stage import Forgets, Partial, StageError
from retrieval.core.vector import Vectors
from retrieval.embedder import EmbedderUnavailable
from retrieval.embedders.hashing import HashingEmbedder
from retrieval.models import Embedding, Store
from retrieval.opening import StoreMismatch, embedder_of, ensure_stores, keyword_store_of
from retrieval.stages.embed import Embed
from retrieval.stages.index_keywords import IndexKeywords
from retrieval.stages.probe import Probe
from tests.people import TwoTeams
from tests.retrieval.library import CONTEXT, add_file, index

TEXTS = [f"passage number {n} about ion channels" for n in range(40)]


class Failing(HashingEmbedder):
    """A provider that answers a number of calls and then no more."""

    def __init__(self, answers: int = 0) -> None:
        super().__init__()
        self.answers = answers

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if self.answers == 0:
            raise EmbedderUnavailable("The embedding service does not answer.", "Start it.")
        self.answers -= 1
        return super().embed_documents(texts)


def use_failing(settings: Any, answers: int) -> None:
    from corpus import backend

    failing = {"BACKEND": f"{__name__}.Failing", "OPTIONS": {"answers": answers}}
    settings.EMBEDDERS = {**settings.EMBEDDERS, "hashing": failing}
    backend.forget()


def test_a_collection_gets_a_vector_and_a_keyword_store(two_teams: TwoTeams) -> None:
    stores = ensure_stores(two_teams.papers)
    assert [(store.kind, store.backend) for store in stores] == [("bm25", "tantivy"), ("vector", "pgvector")]
    vector = stores[1]
    assert (vector.model, vector.dimension) == ("hashing-256", 256)
    assert stores[0].analyzer.startswith("words-")
    assert ensure_stores(two_teams.papers) == stores


def test_embedding_twice_embeds_once(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, "a.md", TEXTS)
    assert Embed().run(file, CONTEXT) == {"stores": 1, "embedded": 40, "chunks": 40}
    assert Embed().run(file, CONTEXT)["embedded"] == 0


def test_only_a_changed_chunk_is_embedded_again(two_teams: TwoTeams) -> None:
    file = add_file(two_teams.papers, "a.md", TEXTS)
    Embed().run(file, CONTEXT)
    changed = file.chunks.get(ordinal=3)
    Chunk.objects.filter(pk=changed.pk).update(text="something else")
    assert Embed().run(file, CONTEXT)["embedded"] == 1


@pytest.mark.parametrize("change", [{"text_hash": "0" * 64}, {"headings": ["New"]}])
def test_the_key_of_embedding_follows_text_and_headings(two_teams: TwoTeams, change: dict[str, Any]) -> None:
    file = add_file(two_teams.papers, "a.md", ["one"])
    before = Embed().settings(file)
    assert Embed().settings(file) == before
    Chunk.objects.filter(source_file=file).update(**change)
    assert Embed().settings(file) != before


@pytest.mark.parametrize("change", [{"metadata": {"year": 1}}, {"enabled": False}, {"text_hash": "0" * 64}])
def test_the_key_of_indexing_follows_what_the_index_holds(two_teams: TwoTeams, change: dict[str, Any]) -> None:
    file = add_file(two_teams.papers, "a.md", ["one"])
    before = IndexKeywords().settings(file)
    Chunk.objects.filter(source_file=file).update(**change)
    assert IndexKeywords().settings(file) != before


def test_a_new_store_changes_the_key_and_is_filled(two_teams: TwoTeams) -> None:
    file = index(add_file(two_teams.papers, "a.md", TEXTS))
    before = Embed().settings(file)
    second = Store.objects.get(collection=two_teams.papers, kind="vector")
    second.pk, second.name = None, "second"
    second.save()
    assert Embed().settings(file) != before
    assert Embed().run(file, CONTEXT)["embedded"] == 40


def test_a_provider_that_fails_at_once_is_worth_another_try(two_teams: TwoTeams, settings: Any) -> None:
    file = add_file(two_teams.papers, "a.md", TEXTS)
    use_failing(settings, 0)
    with pytest.raises(StageError) as failed:
        Embed().run(file, CONTEXT)
    assert failed.value.retryable
    assert failed.value.advice == "Start it."


def test_a_provider_that_fails_midway_leaves_what_it_did(two_teams: TwoTeams, settings: Any) -> None:
    file = add_file(two_teams.papers, "a.md", TEXTS)
    use_failing(settings, 1)
    with pytest.raises(Partial) as part:
        Embed().run(file, CONTEXT)
    held = Embedding.objects.filter(chunk__source_file=file).count()
    assert 0 < held < 40
    assert len(part.value.missing["chunks"]) == 40 - held


def test_a_store_of_another_model_is_refused_with_what_to_do(two_teams: TwoTeams) -> None:
    file = index(add_file(two_teams.papers, "a.md", TEXTS))
    Store.objects.filter(kind="vector").update(model="a model of yesterday")
    Chunk.objects.filter(source_file=file).update(text="new")
    with pytest.raises(StageError, match="rebuild_store"):
        Embed().run(file, CONTEXT)


def test_a_store_keeps_its_model_when_the_default_changes(two_teams: TwoTeams, settings: Any) -> None:
    store = next(store for store in ensure_stores(two_teams.papers) if store.kind == "vector")
    settings.EMBEDDERS = {**settings.EMBEDDERS, "small": {**settings.EMBEDDERS["hashing"], "OPTIONS": {"dimension": 64}}}
    settings.EMBEDDER = "small"
    assert embedder_of(store) is from_settings("EMBEDDERS", "hashing")
    store.model = "hashing-65"
    with pytest.raises(StoreMismatch, match="which no entry of EMBEDDERS has"):
        embedder_of(store)


def test_a_model_with_too_many_dimensions_is_refused(two_teams: TwoTeams, settings: Any) -> None:
    settings.EMBEDDERS = {"hashing": {**settings.EMBEDDERS["hashing"], "OPTIONS": {"dimension": 4001}}}
    file = add_file(two_teams.papers, "a.md", TEXTS)
    with pytest.raises(StageError, match="at most 4000 dimensions"):
        Embed().run(file, CONTEXT)


def test_a_file_that_is_indexed_passes_the_probe(two_teams: TwoTeams) -> None:
    file = index(add_file(two_teams.papers, "a.md", TEXTS))
    assert Probe().run(file, CONTEXT)["chunks"] == 40


def test_a_file_without_passages_fails_the_probe(two_teams: TwoTeams) -> None:
    with pytest.raises(StageError, match="no passages"):
        Probe().run(add_file(two_teams.papers, "a.md", []), CONTEXT)


def test_a_missing_vector_makes_the_file_partial(two_teams: TwoTeams) -> None:
    file = index(add_file(two_teams.papers, "a.md", TEXTS))
    lost = Embedding.objects.filter(chunk__source_file=file, chunk__ordinal=7).get()
    lost.delete()
    with pytest.raises(Partial, match="1 of 40") as part:
        Probe().run(file, CONTEXT)
    assert part.value.missing == {"chunks": [lost.chunk_id]}


def test_a_store_that_lost_the_file_fails_the_probe(two_teams: TwoTeams) -> None:
    file = index(add_file(two_teams.papers, "a.md", TEXTS))
    words = Store.objects.get(kind="bm25", collection=two_teams.papers)
    backend, at = keyword_store_of(words)
    backend.drop(at)
    with pytest.raises(StageError, match="doesn't find the file") as failed:
        Probe().run(file, CONTEXT)
    assert failed.value.advice == f"Run: manage.py rebuild_store {words.pk}."


def test_a_passage_of_signs_only_is_no_fault_of_the_words(two_teams: TwoTeams) -> None:
    file = index(add_file(two_teams.papers, "a.md", ["— § —"]))
    assert Probe().run(file, CONTEXT)["chunks"] == 1


@pytest.mark.parametrize("stage", [Embed(), IndexKeywords()])
def test_stages_forget_a_file(two_teams: TwoTeams, stage: Any) -> None:
    file = index(add_file(two_teams.papers, "a.md", TEXTS))
    assert isinstance(stage, Forgets)
    Chunk.objects.filter(source_file=file).delete()
    stage.forget(file)
    backend, at = keyword_store_of(Store.objects.get(kind="bm25", collection=two_teams.papers))
    assert (set(backend.held(at, file.pk)) == set()) == isinstance(stage, IndexKeywords)


def test_stages_of_a_collection_without_stores_forget_nothing(two_teams: TwoTeams) -> None:
    empty = Collection.objects.create(domain=two_teams.physics, name="Empty", slug="empty")
    file = SourceFile.objects.create(collection=empty, path="x", content_hash="x", size=0)
    Embed().forget(file)
    IndexKeywords().forget(file)
    assert not empty.stores.exists()
