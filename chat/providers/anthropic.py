"""Claude by Anthropic's SDK: streamed, the stable part of the prompt cached, structured replies by a tool."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chat.loop_local import LoopLocal
from chat.provider import AnswerTask, Call, Ended, Piece, Reply, SourceCard, Spent, Text, Thinking
from chat.provider_error import (
    BadReplyError,
    ContextOverflowError,
    CutOffError,
    KeyRejectedError,
    RefusedError,
    SilentError,
    UnreachableError,
    error_of,
)

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

TOOL = "reply"
STATUS_OF = {"overloaded_error": 529, "rate_limit_error": 429, "api_error": 500, "timeout_error": 408}
CLOSING = ".!?…:;"


class AnthropicProvider:
    """Talks to Anthropic's API, or to anything that speaks it.

    Args:
        key: the API key.
        model: asked when a call names none.
        base_url: empty for Anthropic's own.
        native_citations: let the model cite the sources by the API's own means; its citations become [n].
        offered: the models that may be chosen; asked of the service when empty.
    """

    name = "anthropic"
    needs_model = True

    def __init__(
        self,
        *,
        key: str = "",
        model: str = "claude-sonnet-5",
        base_url: str = "",
        native_citations: bool = False,
        offered: tuple[str, ...] = (),
    ) -> None:
        self.default_model = model
        self._key = key
        self._base_url = base_url
        self._native = native_citations
        self._offered = offered
        self._clients: LoopLocal[AsyncAnthropic] = LoopLocal(self._make_client)

    def __repr__(self) -> str:
        return f"AnthropicProvider(model={self.default_model!r}, key={'set' if self._key else 'missing'})"

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Stream a reply by the Messages API."""
        with _errors_mapped():
            events = await self._client().messages.create(**self._request(call), stream=True)
            async with events:
                reading = _Reading()
                async for event in events:
                    for piece in reading.pieces(event):
                        yield piece
            yield reading.end()

    async def structured(self, call: Call) -> Reply:
        """Make the model call a tool whose input is the reply."""
        tool = {"name": TOOL, "description": "Give the reply.", "input_schema": call.schema or {"type": "object"}}
        request = self._request(call) | {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}
        with _errors_mapped():
            message = await self._client().messages.create(**request)
        _check_stop(message.stop_reason)
        for block in message.content:
            if block.type == "tool_use" and isinstance(block.input, dict):
                return Reply(dict(block.input), _spent(message.usage))
        text = "".join(block.text for block in message.content if block.type == "text")
        raise BadReplyError("The model did not call the tool.", text=text)

    async def models(self) -> tuple[str, ...]:
        """Return the models that the key may use."""
        if self._offered:
            return self._offered
        with _errors_mapped():
            return tuple([model.id async for model in await self._client().models.list(limit=100)])

    async def close(self) -> None:
        """Close the connections of the running loop."""
        if client := self._clients.take():
            await client.close()

    def _client(self) -> AsyncAnthropic:
        if not self._key:
            raise KeyRejectedError("No key is set: ANTHROPIC_API_KEY is empty.")
        return self._clients.get()

    def _make_client(self) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(api_key=self._key, base_url=self._base_url or None, max_retries=0)

    def _request(self, call: Call) -> dict[str, Any]:
        messages: list[dict[str, Any]] = [{"role": message.role, "content": message.text} for message in call.messages]
        if self._native and isinstance(call.task, AnswerTask) and call.schema is None:
            messages[-1]["content"] = [*map(_document, call.task.sources), {"type": "text", "text": call.task.question}]
        system = {"type": "text", "text": call.system, "cache_control": {"type": "ephemeral"}}
        return {
            "model": call.model or self.default_model,
            "max_tokens": call.max_tokens,
            "system": [system],
            "messages": messages,
            "timeout": call.timeout_s,
        }


class _Reading:
    """Reads the events of one stream."""

    def __init__(self) -> None:
        self._spent = Spent()
        self._stop: str | None = None
        self._whole = False
        self._cited: list[int] = []
        self._held = ""

    def pieces(self, event: Any) -> Iterator[Piece]:
        """Return what an event adds."""
        match event.type:
            case "message_start":
                self._spent = _spent(event.message.usage)
            case "content_block_delta":
                yield from self._delta(event.delta)
            case "content_block_stop":
                yield from self._block_end()
            case "message_delta":
                self._stop = event.delta.stop_reason
                self._spent = Spent(self._spent.tokens_in, event.usage.output_tokens or 0, self._spent.tokens_cached)
            case "message_stop":
                self._whole = True

    def _delta(self, delta: Any) -> Iterator[Piece]:
        if delta.type == "text_delta":
            text = self._held + delta.text
            bare = text.rstrip().rstrip(CLOSING)
            self._held = text[len(bare) :]
            if bare:
                yield Text(bare)
        elif delta.type == "thinking_delta":
            yield Thinking(delta.thinking)
        elif delta.type == "citations_delta":
            self._cited.append(int(getattr(delta.citation, "document_index", 0) or 0) + 1)

    def _block_end(self) -> Iterator[Piece]:
        markers = "".join(f"[{n}]" for n in dict.fromkeys(self._cited))
        if markers or self._held:
            yield Text((f" {markers}" if markers else "") + self._held)
        self._cited, self._held = [], ""

    def end(self) -> Ended:
        """Return how the stream ended; one that was cut raises."""
        if not self._whole:
            raise UnreachableError("The stream ended before its last event.")
        if self._stop == "model_context_window_exceeded":
            raise ContextOverflowError(self._stop)
        reason = {"max_tokens": "length", "refusal": "refusal"}.get(self._stop or "", "complete")
        return Ended(reason, self._spent)  # type: ignore[arg-type]


def _document(source: SourceCard) -> dict[str, Any]:
    return {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": source.text},
        "title": source.title[:200] or f"Source {source.n}",
        "citations": {"enabled": True},
    }


def _check_stop(reason: str | None) -> None:
    if reason == "refusal":
        raise RefusedError
    if reason == "max_tokens":
        raise CutOffError
    if reason == "model_context_window_exceeded":
        raise ContextOverflowError(reason)


def _spent(usage: Any) -> Spent:
    cached = getattr(usage, "cache_read_input_tokens", 0) or 0
    written = getattr(usage, "cache_creation_input_tokens", 0) or 0
    return Spent((usage.input_tokens or 0) + cached + written, getattr(usage, "output_tokens", 0) or 0, cached)


@contextmanager
def _errors_mapped() -> Iterator[None]:
    """Turn the SDK's errors into ours."""
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APITimeoutError as error:
        raise SilentError(str(error)) from error
    except anthropic.APIStatusError as error:
        status = STATUS_OF.get(str(error.type), 500) if error.response.is_success else error.status_code
        raise error_of(status, error.api_message or str(error), retry_after=error.response.headers.get("retry-after")) from error
    except anthropic.APIResponseValidationError as error:
        raise BadReplyError(str(error)) from error
    except httpx2.TimeoutException as error:
        raise SilentError(str(error)) from error
    except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
        raise UnreachableError(str(error)) from error
    except (ValueError, AttributeError, TypeError) as error:
        raise BadReplyError(f"The stream could not be read: {error}") from error
