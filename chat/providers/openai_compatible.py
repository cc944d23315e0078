"""Any server that speaks OpenAI's chat completions (vLLM, llama.cpp, LM Studio, LiteLLM, many services), by plain HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chat.loop_local import LoopLocal
from chat.provider import Call, Ended, Piece, Reply, Spent, Text, Thinking
from chat.provider_error import BadReplyError, CutOffError, ProviderError, RefusedError, SilentError, UnreachableError, error_of

if TYPE_CHECKING:
    import httpx

DONE = "[DONE]"
MOST_ERROR_BYTES = 20_000


class OpenAiCompatibleProvider:
    """Talks to `base_url`/chat/completions.

    Args:
        base_url: with the version, such as http://127.0.0.1:8000/v1.
        key: empty where the server wants none.
        model: asked when a call names none.
        schema_mode: how structured replies are asked for: "json_schema", "json_object", or "prompt" where neither is known.
    """

    name = "openai-compatible"
    needs_model = True

    def __init__(self, *, base_url: str, key: str = "", model: str = "", schema_mode: str = "json_schema") -> None:
        self.default_model = model
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._schema_mode = schema_mode
        self._clients: LoopLocal[httpx.AsyncClient] = LoopLocal(self._make_client)

    def __repr__(self) -> str:
        return f"OpenAiCompatibleProvider({self._base_url!r}, key={'set' if self._key else 'missing'})"

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Stream a reply as server-sent events."""
        body = {**self._request(call), "stream": True, "stream_options": {"include_usage": True}}
        reading = _Reading()
        with _errors_mapped():
            async with self._clients.get().stream("POST", "/chat/completions", json=body, timeout=call.timeout_s) as response:
                await _check(response)
                async for line in response.aiter_lines():
                    for piece in reading.pieces(line):
                        yield piece
        yield reading.end()

    async def structured(self, call: Call) -> Reply:
        """Ask for JSON that follows the schema."""
        body = self._request(call) | self._format(call)
        if self._schema_mode == "prompt":
            body["messages"][0]["content"] += (
                f"\n\nReply with one JSON object of this schema, and nothing else:\n{json.dumps(call.schema)}"
            )
        with _errors_mapped():
            response = await self._clients.get().post("/chat/completions", json=body, timeout=call.timeout_s)
            await _check(response)
            answer = response.json()
            choice = answer["choices"][0]
            text = choice["message"].get("content") or ""
            refused = bool(choice["message"].get("refusal"))
        if refused or choice.get("finish_reason") == "content_filter":
            raise RefusedError
        if choice.get("finish_reason") == "length":
            raise CutOffError("The reply is longer than allowed.", text=text)
        return Reply(_object_in(text), _spent(answer.get("usage")))

    async def models(self) -> tuple[str, ...]:
        """Return the models of the server."""
        with _errors_mapped():
            response = await self._clients.get().get("/models")
            await _check(response)
            return tuple(sorted(str(model["id"]) for model in response.json()["data"]))

    async def close(self) -> None:
        """Close the connections of the running loop."""
        if client := self._clients.take():
            await client.aclose()

    def _make_client(self) -> httpx.AsyncClient:
        import httpx

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return httpx.AsyncClient(base_url=self._base_url, headers=headers, timeout=30)

    def _request(self, call: Call) -> dict[str, Any]:
        messages = [{"role": "system", "content": call.system}]
        messages += [{"role": message.role, "content": message.text} for message in call.messages]
        model = call.model or self.default_model
        return {"model": model, "messages": messages, "max_tokens": call.max_tokens, "temperature": call.temperature}

    def _format(self, call: Call) -> dict[str, Any]:
        if self._schema_mode == "json_schema":
            return {"response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": call.schema}}}
        return {"response_format": {"type": "json_object"}} if self._schema_mode == "json_object" else {}


class _Reading:
    """Reads the lines of one stream."""

    def __init__(self) -> None:
        self._finish = ""
        self._spent = Spent()

    def pieces(self, line: str) -> Iterator[Piece]:
        """Return what a line adds."""
        if not line.startswith("data:") or (data := line[5:].strip()) == DONE or not data:
            return
        event = json.loads(data)
        if fault := event.get("error"):
            raise _fault_in_stream(fault)
        if event.get("usage"):
            self._spent = _spent(event["usage"])
        for choice in event.get("choices", ()):
            delta = choice.get("delta") or {}
            if thought := delta.get("reasoning_content") or delta.get("reasoning"):
                yield Thinking(thought)
            if text := delta.get("content"):
                yield Text(text)
            self._finish = choice.get("finish_reason") or self._finish

    def end(self) -> Ended:
        """Return how the stream ended; one that was cut raises."""
        if not self._finish:
            raise UnreachableError("The stream ended before it said why.")
        reason = {"length": "length", "content_filter": "refusal"}.get(self._finish, "complete")
        return Ended(reason, self._spent)  # type: ignore[arg-type]


def _fault_in_stream(fault: Any) -> ProviderError:
    if not isinstance(fault, dict):
        return error_of(500, str(fault))
    code = str(fault.get("code") or fault.get("status") or "")
    return error_of(int(code) if code.isdigit() else 500, str(fault.get("message") or ""))


def _object_in(text: str) -> dict[str, Any]:
    """Read a JSON object, also from between words or fences of code."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[begin : end + 1] if begin >= 0 else text)
    except ValueError as error:
        raise BadReplyError(str(error), text=text) from error
    if not isinstance(value, dict):
        raise BadReplyError("The reply is no object.", text=text)
    return value


def _spent(usage: Any) -> Spent:
    if not isinstance(usage, dict):
        return Spent()
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return Spent(usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0, cached)


async def _check(response: httpx.Response) -> None:
    if response.is_success:
        return
    told = (await response.aread())[:MOST_ERROR_BYTES].decode("utf-8", "replace")
    raise error_of(response.status_code, told, retry_after=response.headers.get("retry-after"))


@contextmanager
def _errors_mapped() -> Iterator[None]:
    """Turn the client's errors into ours."""
    import httpx

    try:
        yield
    except httpx.TimeoutException as error:
        raise SilentError(str(error)) from error
    except httpx.HTTPError as error:
        raise UnreachableError(str(error)) from error
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise BadReplyError(f"The reply could not be read: {error}") from error
