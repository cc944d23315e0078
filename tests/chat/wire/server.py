"""A server that speaks HTTP by a script: it streams, stalls, cuts the line, refuses, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests", 500: "Internal Server Error"}


@dataclass(frozen=True)
class Answer:
    """What the server sends: a status, headers, and parts of a body with pauses between them.

    Attributes:
        parts: pieces of the body; a number is a pause in seconds.
        cut: close the connection without the end of the body.
    """

    parts: Sequence[str | float] = ()
    status: int = 200
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


def as_json(value: Any, *, status: int = 200, **headers: str) -> Answer:
    """Answer with a JSON body."""
    return Answer((json.dumps(value),), status, headers={name.replace("_", "-"): text for name, text in headers.items()})


@dataclass
class ScriptedServer:
    """Answers requests one after the other by its script; the last answer is repeated."""

    script: list[Answer | Callable[[dict[str, Any]], Answer]]
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[ScriptedServer]:
        """Listen for the time of a block."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._open: set[asyncio.Task[Any]] = set()
        try:
            yield self
        finally:
            server.close()
            for task in list(self._open):
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        self._open.discard(task)
        with contextlib.suppress(ConnectionError, OSError, RuntimeError):
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.paths.append(first.split()[1])
        self.headers.append(headers)
        self.asked.append(json.loads(body) if body else {})
        step = self.script[min(len(self.asked), len(self.script)) - 1]
        answer = step(self.asked[-1]) if callable(step) else step
        watch = asyncio.create_task(self._watch(reader))
        try:
            return await self._send(answer, writer)
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        while not reader.at_eof():
            await asyncio.sleep(0.01)
        self.hung_up.set()

    async def _send(self, answer: Answer, writer: asyncio.StreamWriter) -> bool:
        lines = [f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, 'Answer')}", f"Content-Type: {answer.kind}"]
        lines += ["Transfer-Encoding: chunked", *(f"{name}: {value}" for name, value in answer.headers.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        for part in answer.parts:
            if isinstance(part, str):
                data = part.encode()
                writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                await writer.drain()
            else:
                await asyncio.sleep(part)
        if answer.cut:
            writer.transport.abort()
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True
