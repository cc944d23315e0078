"""What every embedder promises."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest

from retrieval.embedder import Embedder
from tests.conformance.implementations import classes_in
from tests.conformance.ollama_server import OllamaServer

EMBEDDERS = list(classes_in("retrieval.embedders", having="embed_documents"))
TEXTS = [
    "Calcium channels open when the membrane is depolarised.",
    "The committee met on Tuesday to discuss the budget of the library.",
    "",
    "ion " * 3000,
    "Кальциевые каналы",
]


@pytest.fixture(scope="module", params=EMBEDDERS, ids=lambda found: found.__name__)
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    made = request.param
    if made.__name__ == "SentenceTransformersEmbedder" and importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed (make test-all installs it)")
    if made.__name__ == "OllamaEmbedder":
        with OllamaServer() as server:
            yield made(host=server.address)
        return
    yield made()


def test_every_module_holds_an_embedder() -> None:
    assert {found.__name__ for found in EMBEDDERS} >= {"HashingEmbedder", "OnnxEmbedder", "OllamaEmbedder"}


def test_documents_become_float32_rows_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed_documents(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)


def test_a_question_becomes_one_vector_of_length_one(embedder: Embedder) -> None:
    vector = embedder.embed_query("When do calcium channels open?")
    assert vector.shape == (embedder.dimension,)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-4


def test_no_documents_become_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.dimension)


def test_a_text_has_the_same_vector_whatever_stands_beside_it(embedder: Embedder) -> None:
    alone = embedder.embed_documents(TEXTS[:1])[0]
    among = embedder.embed_documents([TEXTS[3], TEXTS[0], TEXTS[1]])[1]
    assert np.allclose(alone, among, atol=1e-5)


def test_the_nearer_text_has_the_larger_product(embedder: Embedder) -> None:
    about, other = embedder.embed_documents(TEXTS[:2])
    question = embedder.embed_query("calcium channels open when depolarised")
    assert float(question @ about) > float(question @ other)


def test_tokens_are_counted(embedder: Embedder) -> None:
    assert 0 < embedder.count_tokens(TEXTS[0]) < embedder.count_tokens(TEXTS[0] * 4)
    assert embedder.count_tokens("") == 0


def test_the_model_is_named_and_the_range_is_one(embedder: Embedder) -> None:
    low, high = embedder.cosine_range
    assert embedder.model
    assert -1 <= low < high <= 1
    assert embedder.max_tokens > 0


@pytest.mark.parametrize("made", EMBEDDERS, ids=lambda found: found.__name__)
def test_making_one_loads_nothing(made: Any) -> None:
    assert made().model
    assert all(given.default is not inspect.Parameter.empty for given in inspect.signature(made).parameters.values())


def test_the_fake_server_speaks_like_ollama() -> None:
    with OllamaServer() as server:
        answer = httpx.post(f"{server.address}/api/embed", json={"model": "m", "input": ["a"]}, trust_env=False).json()
    assert len(answer["embeddings"]) == 1
