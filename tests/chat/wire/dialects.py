"""The dialects that providers speak on the wire: how a reply, a structured reply and an error look in each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from chat.provider import Provider
from chat.providers.anthropic import AnthropicProvider
from chat.providers.ollama import OllamaProvider
from chat.providers.openai_compatible import OpenAiCompatibleProvider
from tests.chat.wire.server import Answer, as_json

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Dialect(Protocol):
    """How one kind of service speaks."""

    name: str

    def provider(self, address: str) -> Provider: ...
    def stream(
        self, pieces: Sequence[str | float], *, end: str = "complete", cut: bool = False, thinking: str = ""
    ) -> Answer: ...
    def structured(self, text: str, *, end: str = "complete") -> Answer: ...
    def error(self, status: int, message: str, **headers: str) -> Answer: ...
    def malformed(self) -> Answer: ...
    def prompt(self, body: dict[str, Any]) -> str: ...


def event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


@dataclass(frozen=True)
class Anthropic:
    """Messages API."""

    name: str = "anthropic"

    def provider(self, address: str) -> Provider:
        return AnthropicProvider(key="sk-secret", base_url=address, model="claude-test")

    def stream(self, pieces: Sequence[str | float], *, end: str = "complete", cut: bool = False, thinking: str = "") -> Answer:
        reason = {"complete": "end_turn", "length": "max_tokens", "refusal": "refusal"}[end]
        usage = {"input_tokens": 40, "output_tokens": 1, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 0}
        message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "claude-test", "usage": usage}
        parts: list[str | float] = [event("message_start", message={**message, "stop_reason": None, "stop_sequence": None})]
        if thinking:
            parts.append(
                event("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""})
            )
            parts.append(event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": thinking}))
            parts.append(event("content_block_stop", index=0))
        parts.append(event("content_block_start", index=1, content_block={"type": "text", "text": ""}))
        parts += [
            piece
            if isinstance(piece, float)
            else event("content_block_delta", index=1, delta={"type": "text_delta", "text": piece})
            for piece in pieces
        ]
        if not cut:
            parts.append(event("content_block_stop", index=1))
            parts.append(event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage={"output_tokens": 7}))
            parts.append(event("message_stop"))
        return Answer(parts, kind=SSE, cut=cut)

    def structured(self, text: str, *, end: str = "complete") -> Answer:
        try:
            block: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "reply", "input": json.loads(text)}
        except ValueError:
            block = {"type": "text", "text": text}
        reason = {"complete": "tool_use", "length": "max_tokens", "refusal": "refusal"}[end]
        return as_json(
            {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": "claude-test",
                "content": [block],
                "stop_reason": reason,
                "stop_sequence": None,
                "usage": {"input_tokens": 100, "output_tokens": 7},
            }
        )

    def error(self, status: int, message: str, **headers: str) -> Answer:
        kind = {529: "overloaded_error", 429: "rate_limit_error", 401: "authentication_error"}.get(status, "api_error")
        return as_json({"type": "error", "error": {"type": kind, "message": message}}, status=status, **headers)

    def malformed(self) -> Answer:
        return Answer(("event: message_start\ndata: {nonsense\n\n",), kind=SSE)

    def prompt(self, body: dict[str, Any]) -> str:
        return str(body["system"][0]["text"]) + str(body["messages"])


@dataclass(frozen=True)
class Ollama:
    """Ollama's chat."""

    name: str = "ollama"

    def provider(self, address: str) -> Provider:
        return OllamaProvider(host=address, model="llama-test")

    def stream(self, pieces: Sequence[str | float], *, end: str = "complete", cut: bool = False, thinking: str = "") -> Answer:
        lines: list[str | float] = []
        if thinking:
            lines.append(self._line({"role": "assistant", "content": "", "thinking": thinking}))
        lines += [p if isinstance(p, float) else self._line({"role": "assistant", "content": p}) for p in pieces]
        if not cut:
            lines.append(self._line({"role": "assistant", "content": ""}, done=True, end=end))
        return Answer(lines, kind=NDJSON, cut=cut)

    def structured(self, text: str, *, end: str = "complete") -> Answer:
        return Answer((self._line({"role": "assistant", "content": text}, done=True, end=end),))

    def error(self, status: int, message: str, **headers: str) -> Answer:
        return as_json({"error": message}, status=status, **headers)

    def malformed(self) -> Answer:
        return Answer(("{nonsense\n",), kind=NDJSON)

    def prompt(self, body: dict[str, Any]) -> str:
        return str(body["messages"])

    @staticmethod
    def _line(message: dict[str, str], *, done: bool = False, end: str = "complete") -> str:
        last = {"done_reason": "length" if end == "length" else "stop", "prompt_eval_count": 100, "eval_count": 7} if done else {}
        return (
            json.dumps({"model": "llama-test", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": done, **last})
            + "\n"
        )


@dataclass(frozen=True)
class OpenAi:
    """Chat completions."""

    name: str = "openai_compatible"

    def provider(self, address: str) -> Provider:
        return OpenAiCompatibleProvider(base_url=f"{address}/v1", key="sk-secret", model="gpt-test")

    def stream(self, pieces: Sequence[str | float], *, end: str = "complete", cut: bool = False, thinking: str = "") -> Answer:
        deltas: list[str | float] = [self._chunk({"reasoning_content": thinking})] if thinking else []
        deltas += [p if isinstance(p, float) else self._chunk({"content": p}) for p in pieces]
        if not cut:
            reason = {"complete": "stop", "length": "length", "refusal": "content_filter"}[end]
            usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
            deltas += [self._chunk({}, finish_reason=reason), f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n"]
            deltas.append("data: [DONE]\n\n")
        return Answer(deltas, kind=SSE, cut=cut)

    def structured(self, text: str, *, end: str = "complete") -> Answer:
        reason = {"complete": "stop", "length": "length", "refusal": "content_filter"}[end]
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
        return as_json({"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 7}})

    def error(self, status: int, message: str, **headers: str) -> Answer:
        return as_json({"error": {"message": message, "type": "error"}}, status=status, **headers)

    def malformed(self) -> Answer:
        return Answer(("data: {nonsense\n\n",), kind=SSE)

    def prompt(self, body: dict[str, Any]) -> str:
        return str(body["messages"])

    @staticmethod
    def _chunk(delta: dict[str, str], finish_reason: str | None = None) -> str:
        return f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish_reason}]})}\n\n"


DIALECTS: tuple[Dialect, ...] = (Anthropic(), Ollama(), OpenAi())
