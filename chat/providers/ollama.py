"""Models that run in Ollama, by its own client: streamed chat, structured replies by schema, the list of models."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chat.loop_local import LoopLocal
from chat.provider import Call, Ended, Piece, Reply, Spent, Text, Thinking
from chat.provider_error import BadReplyError, CutOffError, SilentError, UnreachableError, error_of

if TYPE_CHECKING:
    from ollama import AsyncClient


class OllamaProvider:
    """Talks to an Ollama server.

    Args:
        host: its address.
        model: asked when a call names none.
        context: how many tokens the model may read; Ollama cuts what is longer without a word, so it is always sent.
        keep_alive: how long the model stays in memory after a call.
    """

    name = "ollama"
    needs_model = True

    def __init__(
        self, *, host: str = "http://127.0.0.1:11434", model: str = "llama3.2", context: int = 16_384, keep_alive: str = "10m"
    ) -> None:
        self.default_model = model
        self._host = host
        self._context = context
        self._keep_alive = keep_alive
        self._clients: LoopLocal[AsyncClient] = LoopLocal(self._make_client)

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Stream a reply; the last line says what it cost."""
        last: Any = None
        with _errors_mapped():
            parts = await self._clients.get().chat(**self._request(call), stream=True)
            async for part in parts:
                if part.message.thinking:
                    yield Thinking(part.message.thinking)
                if part.message.content:
                    yield Text(part.message.content)
                last = part
        if last is None or not last.done:
            raise UnreachableError("The stream ended before its last line.")
        yield Ended("length" if last.done_reason == "length" else "complete", _spent(last))

    async def structured(self, call: Call) -> Reply:
        """Constrain the reply to the schema."""
        with _errors_mapped():
            answer = await self._clients.get().chat(**self._request(call), format=call.schema or "json")
        text = answer.message.content or ""
        if answer.done_reason == "length":
            raise CutOffError("The reply is longer than allowed.", text=text)
        try:
            value = json.loads(text)
        except ValueError as error:
            raise BadReplyError(str(error), text=text) from error
        if not isinstance(value, dict):
            raise BadReplyError("The reply is no object.", text=text)
        return Reply(value, _spent(answer))

    async def models(self) -> tuple[str, ...]:
        """Return the models that are pulled."""
        with _errors_mapped():
            found = await self._clients.get().list()
        return tuple(sorted(model.model for model in found.models if model.model))

    async def close(self) -> None:
        """Close the connections of the running loop."""
        if client := self._clients.take():
            await client.close()  # type: ignore[no-untyped-call]

    def _make_client(self) -> AsyncClient:
        from ollama import AsyncClient

        return AsyncClient(self._host)

    def _request(self, call: Call) -> dict[str, Any]:
        messages = [{"role": "system", "content": call.system}]
        messages += [{"role": message.role, "content": message.text} for message in call.messages]
        options = {"temperature": call.temperature, "num_predict": call.max_tokens, "num_ctx": self._context}
        model = call.model or self.default_model
        return {"model": model, "messages": messages, "options": options, "keep_alive": self._keep_alive}


def _spent(part: Any) -> Spent:
    return Spent(part.prompt_eval_count or 0, part.eval_count or 0)


@contextmanager
def _errors_mapped() -> Iterator[None]:
    """Turn the client's errors into ours."""
    import httpx
    import ollama

    try:
        yield
    except ollama.ResponseError as error:
        raise error_of(error.status_code if error.status_code > 0 else 500, error.error) from error
    except httpx.TimeoutException as error:
        raise SilentError(str(error)) from error
    except (ConnectionError, httpx.HTTPError) as error:
        raise UnreachableError(str(error)) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise BadReplyError(f"The stream could not be read: {error}") from error
