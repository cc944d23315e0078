"""Every provider keeps the contract: it streams, ends, can be stopped, and turns the faults of its service into ours."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from chat.provider import (
    Call,
    Ended,
    Message,
    OtherTask,
    Piece,
    Provider,
    Text,
    Thinking,
)
from chat.provider_error import (
    BadReplyError,
    ContextOverflowError,
    CutOffError,
    KeyRejectedError,
    OverloadedError,
    ProviderError,
    RateLimitedError,
    ServiceFaultError,
    UnknownModelError,
    UnreachableError,
)
from chat.providers.extractive import ExtractiveProvider
from tests.chat.wire.dialects import DIALECTS, Dialect
from tests.chat.wire.server import Answer, ScriptedServer
from tests.conformance.implementations import classes_in

CALL = Call("answer", "Rules.", (Message("user", "Why?"),), OtherTask("Why?"), timeout_s=5)
SCHEMA = {"type": "object", "properties": {"route": {"type": "string"}}}
STRUCTURED = replace(CALL, purpose="plan", schema=SCHEMA)

pytestmark = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)


@asynccontextmanager
async def service(dialect: Dialect, *script: Answer) -> AsyncIterator[tuple[Provider, ScriptedServer]]:
    async with ScriptedServer(list(script)).running() as server:
        provider: Any = dialect.provider(server.address)
        yield provider, server
        await provider.close()


async def all_of(pieces: AsyncIterator[Piece]) -> list[Piece]:
    return [piece async for piece in pieces]


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


async def test_a_reply_streams_in_pieces_and_ends_with_what_it_cost(dialect: Dialect) -> None:
    async with service(dialect, dialect.stream(["The cell ", "fires", " [1]."])) as (provider, _):
        pieces = await all_of(provider.stream(CALL))

    end = pieces[-1]
    assert text_of(pieces) == "The cell fires [1]."
    assert isinstance(end, Ended)
    assert (end.reason, end.spent.tokens_in, end.spent.tokens_out) == ("complete", 100, 7)


async def test_the_prompt_reaches_the_service(dialect: Dialect) -> None:
    async with service(dialect, dialect.stream(["x"])) as (provider, server):
        await all_of(provider.stream(replace(CALL, model="chosen")))

    assert "Rules." in dialect.prompt(server.asked[0])
    assert "Why?" in dialect.prompt(server.asked[0])
    assert server.asked[0]["model"] == "chosen"


async def test_reasoning_is_kept_apart_from_the_answer(dialect: Dialect) -> None:
    async with service(dialect, dialect.stream(["Yes."], thinking="Let me see")) as (provider, _):
        pieces = await all_of(provider.stream(CALL))

    assert text_of(pieces) == "Yes."
    assert [piece.text for piece in pieces if isinstance(piece, Thinking)] == ["Let me see"]


async def test_a_reply_that_is_too_long_says_so(dialect: Dialect) -> None:
    async with service(dialect, dialect.stream(["Half an"], end="length")) as (provider, _):
        pieces = await all_of(provider.stream(CALL))

    assert isinstance(pieces[-1], Ended)
    assert pieces[-1].reason == "length"


async def test_a_line_that_is_cut_is_an_error_and_what_came_stays(dialect: Dialect) -> None:
    seen: list[Piece] = []
    async with service(dialect, dialect.stream(["Half an", 0.05], cut=True)) as (provider, _):
        with pytest.raises(UnreachableError):
            async for piece in provider.stream(CALL):
                seen.append(piece)

    assert text_of(seen) == "Half an"


async def test_a_stream_that_ends_without_its_end_is_an_error(dialect: Dialect) -> None:
    whole = dialect.stream(["Half an"], cut=True)
    async with service(dialect, replace(whole, cut=False)) as (provider, _):
        with pytest.raises(UnreachableError):
            await all_of(provider.stream(CALL))


async def test_nonsense_in_the_stream_is_an_error_that_may_be_tried_again(dialect: Dialect) -> None:
    async with service(dialect, dialect.malformed()) as (provider, _):
        with pytest.raises(BadReplyError) as caught:
            await all_of(provider.stream(CALL))

    assert caught.value.retryable


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (400, "malformed", ProviderError),
        (400, "prompt is too long: 300000 tokens", ContextOverflowError),
        (401, "invalid key", KeyRejectedError),
        (404, "no such model", UnknownModelError),
        (429, "slow down", RateLimitedError),
        (500, "fault", ServiceFaultError),
        (529, "overloaded", OverloadedError),
    ],
)
async def test_each_status_is_an_error_of_ours(dialect: Dialect, status: int, message: str, error: type[ProviderError]) -> None:
    async with service(dialect, dialect.error(status, message)) as (provider, _):
        with pytest.raises(error) as streamed:
            await all_of(provider.stream(CALL))
        with pytest.raises(error):
            await provider.structured(STRUCTURED)

    assert streamed.value.advice
    assert streamed.value.retryable == (status in {429, 500, 529})


async def test_a_dead_address_is_unreachable(dialect: Dialect) -> None:
    provider: Any = dialect.provider("http://127.0.0.1:9")
    with pytest.raises(UnreachableError):
        await all_of(provider.stream(CALL))
    with pytest.raises(UnreachableError):
        await provider.structured(STRUCTURED)
    await provider.close()


async def test_leaving_the_stream_hangs_up_within_a_second(dialect: Dialect) -> None:
    async with service(dialect, dialect.stream(["First", 60.0, "never"])) as (provider, server):
        stream: Any = provider.stream(CALL)
        first = await anext(stream)
        await stream.aclose()
        async with asyncio.timeout(1):
            await server.hung_up.wait()

    assert isinstance(first, Text)


async def test_a_cancelled_task_hangs_up_within_a_second(dialect: Dialect) -> None:
    async with service(dialect, dialect.stream([60.0, "never"])) as (provider, server):
        task = asyncio.create_task(all_of(provider.stream(CALL)))
        while not server.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        async with asyncio.timeout(1):
            await server.hung_up.wait()
            await asyncio.wait([task])

    assert task.cancelled()


async def test_a_structured_reply_follows_the_schema(dialect: Dialect) -> None:
    async with service(dialect, dialect.structured('{"route": "library"}')) as (provider, server):
        reply = await provider.structured(STRUCTURED)

    assert reply.value == {"route": "library"}
    assert (reply.spent.tokens_in, reply.spent.tokens_out) == (100, 7)
    assert "route" in str(server.asked[0])


@pytest.mark.parametrize("text", ['{"route": "libr', "I would rather say it in words.", "[1, 2]", ""])
async def test_a_structured_reply_that_is_none_is_told(dialect: Dialect, text: str) -> None:
    async with service(dialect, dialect.structured(text)) as (provider, _):
        with pytest.raises(BadReplyError) as caught:
            await provider.structured(STRUCTURED)

    assert caught.value.retryable


async def test_a_structured_reply_that_was_cut_is_told(dialect: Dialect) -> None:
    async with service(dialect, dialect.structured('{"route": "lib', end="length")) as (provider, _):
        with pytest.raises(CutOffError):
            await provider.structured(STRUCTURED)


async def test_no_key_is_shown(dialect: Dialect) -> None:
    async with service(dialect, dialect.error(401, "bad")) as (provider, _):
        with pytest.raises(KeyRejectedError) as caught:
            await all_of(provider.stream(CALL))

    assert "sk-secret" not in repr(provider) + str(caught.value) + caught.value.detail


def test_every_file_of_the_folder_has_a_dialect(dialect: Dialect) -> None:
    spoken = {type(one.provider("http://127.0.0.1:1")) for one in DIALECTS} | {ExtractiveProvider}
    found = set(classes_in("chat.providers", having="structured"))
    assert {one for one in found if not inspect.isabstract(one)} == spoken
