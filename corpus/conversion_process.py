"""Conversion in an isolated child process: a memory cap, a time limit by pages, a hard kill, and a new child after N files.

Whatever a file does to the child (memory, a crash, a hang with all threads parked) costs that file one attempt and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from corpus import converter as contract
from corpus.converter import (
    ConversionError,
    ConversionRequest,
    ConvertedDocument,
    Crashed,
    OutOfMemory,
    PageFacts,
    TimedOut,
    joined,
)
from corpus.core.chunk import Box, ChunkDraft, Span

TICK_S: Final = 0.2
START_S: Final = 60.0
SPLITS: Final = 12
ROOT: Final = Path(__file__).resolve().parent.parent
Tick = Callable[[], None]
Progress = Callable[[int], None]


def _nothing(*_args: object) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Limits:
    """What a conversion may take; the fields of the setting CONVERSION.

    Attributes:
        memory_bytes: resident memory of the child.
        seconds_per_file, seconds_per_page: the time limit of a call is their sum over its pages.
        pages_per_range: a longer PDF is converted piece by piece.
        files_per_child: then a new child is started.
        threads: of Docling and of the numeric libraries.
        device: for Docling's models.
        artifacts: folder of Docling's models; empty: from the hub.
    """

    memory_bytes: int = 4 << 30
    seconds_per_file: int = 120
    seconds_per_page: int = 20
    pages_per_range: int = 50
    files_per_child: int = 50
    threads: int = 2
    device: str = "auto"
    artifacts: str = ""


class ConversionProcess:
    """One child, started when it is needed; not safe to share between threads.

    Attributes:
        peak_bytes: the child's largest memory during the last call.
    """

    def __init__(self, limits: Limits, *, child: str = "corpus.conversion_child") -> None:
        self._limits = limits
        self._module = child
        self._child: subprocess.Popen[bytes] | None = None
        self._served = 0
        self._rest = b""
        self.peak_bytes = 0

    def facts(
        self, path: str, *, password: str | None = None, tick: Tick = _nothing
    ) -> tuple[tuple[PageFacts, ...], dict[str, Any]]:
        """Return the facts of a PDF's pages and its own information."""
        told = self._ask({"do": "facts", "path": path, "password": password}, seconds=self._limits.seconds_per_file, tick=tick)
        return tuple(PageFacts(**page) for page in told["pages"]), told["info"]

    def convert(self, request: ConversionRequest, *, tick: Tick = _nothing, progress: Progress = _nothing) -> ConvertedDocument:
        """Convert a file; a long PDF by ranges of pages, so that memory doesn't grow with its length.

        A range that fails is tried again by halves, down to single pages; pages that fail alone are marked as failed, as long as
        others give something.

        Raises:
            ConversionError: nothing could be converted; says why and what to do.
        """
        waiting = self._ranges(request, tick)
        total = waiting[-1][1] if waiting[-1] else 0
        parts: list[ConvertedDocument] = []
        failures: list[ConversionError] = []
        while waiting:
            pages = waiting.pop(0)
            try:
                parts.append(self._convert_range(replace(request, pages=pages), tick))
            except (contract.PasswordNeeded, contract.UnsupportedType):
                raise
            except ConversionError as error:
                failures.append(error)
                halves = _halves(pages) if len(failures) <= SPLITS else []
                waiting[:0] = halves
                parts += [] if halves else [_failed_range(pages, error)]
            progress(waiting[0][0] - 1 if waiting and waiting[0] else total)
        if not any(part.document for part in parts):
            raise failures[0]
        return joined(parts)

    def chunk(
        self, converted: ConvertedDocument, *, max_tokens: int, tokenizer: str, tick: Tick = _nothing
    ) -> tuple[ChunkDraft, ...]:
        """Cut a converted document into chunks, in the child."""
        message = {"do": "chunk", "converted": asdict(converted), "max_tokens": max_tokens, "tokenizer": tokenizer}
        seconds = self._limits.seconds_per_file + self._limits.seconds_per_page * max(1, len(converted.pages))
        return tuple(_draft(row) for row in self._ask(message, seconds=seconds, tick=tick))

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._rest = b""

    def _ranges(self, request: ConversionRequest, tick: Tick) -> list[tuple[int, int] | None]:
        if request.media_type != "application/pdf" or request.pages:
            return [request.pages]
        pages, _ = self.facts(request.path, password=request.password, tick=tick)
        step = self._limits.pages_per_range
        return [(first, min(first + step - 1, len(pages))) for first in range(1, len(pages) + 1, step)]

    def _convert_range(self, request: ConversionRequest, tick: Tick) -> ConvertedDocument:
        count = request.pages[1] - request.pages[0] + 1 if request.pages else 1
        message = {
            "do": "convert",
            "request": asdict(request),
            "threads": self._limits.threads,
            "artifacts": self._limits.artifacts,
        }
        told = self._ask(message, seconds=self._limits.seconds_per_file + self._limits.seconds_per_page * count, tick=tick)
        pages = tuple(PageFacts(**page) for page in told["pages"])
        return ConvertedDocument(told["document"], pages, tuple(told["warnings"]), told["info"])

    def _ask(self, message: dict[str, Any], *, seconds: float, tick: Tick) -> Any:
        child = self._running(tick)
        self.peak_bytes = 0
        try:
            self._send(child, message, tick)
            reply = self._reply(child, time.monotonic() + seconds, seconds, tick)
        except BaseException:
            self.close()
            raise
        self._served += 1
        if self._served >= self._limits.files_per_child * 3:
            self.close()
        if "error" in reply:
            raise _error(reply)
        return reply["result"]

    def _running(self, tick: Tick) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self.close()
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": str(self._limits.threads),
            "HF_HUB_OFFLINE": os.environ.get("HF_HUB_OFFLINE", "1"),
        }
        self._child = subprocess.Popen(
            [sys.executable, "-m", self._module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=environment,
        )
        self._served = 0
        self._rest = b""
        self._reply(self._child, time.monotonic() + START_S, START_S, tick)
        return self._child

    def _send(self, child: subprocess.Popen[bytes], message: dict[str, Any], tick: Tick) -> None:
        assert child.stdin is not None  # noqa: S101 -- opened as a pipe above
        try:
            child.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            child.stdin.flush()
        except BrokenPipeError as error:
            raise _death(child) from error
        tick()

    def _reply(self, child: subprocess.Popen[bytes], deadline: float, seconds: float, tick: Tick) -> dict[str, Any]:
        """Wait for a reply, watching memory and time."""
        assert child.stdout is not None  # noqa: S101 -- opened as a pipe above
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while True:
                if selector.select(TICK_S):
                    part = os.read(child.stdout.fileno(), 1 << 20)
                    if not part:
                        raise _death(child)
                    if (message := self._message(part)) is not None:
                        return message
                tick()
                self._watch(child, deadline, seconds)

    def _message(self, part: bytes) -> dict[str, Any] | None:
        """Return the next message that isn't about progress, or None until it is whole."""
        self._rest += part
        while b"\n" in self._rest:
            line, _, self._rest = self._rest.partition(b"\n")
            message: dict[str, Any] = json.loads(line)
            if "pages" not in message or "result" in message:
                return message
        return None

    def _watch(self, child: subprocess.Popen[bytes], deadline: float, seconds: float) -> None:
        self.peak_bytes = max(self.peak_bytes, _memory_of(child.pid))
        if self.peak_bytes > self._limits.memory_bytes:
            limit = self._limits.memory_bytes // 1024 // 1024
            raise OutOfMemory(f"The conversion took more than {limit} MB of memory and was stopped.")
        if time.monotonic() > deadline:
            raise TimedOut(f"The conversion took longer than {seconds:.0f} seconds and was stopped.")


def _memory_of(pid: int) -> int:
    """Return a process's resident memory in bytes; 0 where it can't be read."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _death(child: subprocess.Popen[bytes]) -> Crashed:
    code = child.wait()
    if code < 0:
        name = signal.Signals(-code).name
        return Crashed(f"The conversion's process was ended by signal {name}.", signal=-code)
    return Crashed(f"The conversion's process ended by itself (exit code {code}).")


def _error(reply: dict[str, Any]) -> ConversionError:
    """Make the contract's error that the child told of; one of an engine of its own keeps its advice."""
    found = getattr(contract, reply["error"], ConversionError)
    if not (isinstance(found, type) and issubclass(found, ConversionError)):
        found = ConversionError
    error = found(reply["message"])
    error.advice = reply.get("advice") or error.advice
    return error


def _halves(pages: tuple[int, int] | None) -> list[tuple[int, int] | None]:
    """Return two halves of a range; nothing where it is a single page or has no pages."""
    if pages is None or pages[0] == pages[1]:
        return []
    middle = (pages[0] + pages[1]) // 2
    return [(pages[0], middle), (middle + 1, pages[1])]


def _failed_range(pages: tuple[int, int] | None, error: ConversionError) -> ConvertedDocument:
    if pages is None:
        return ConvertedDocument({}, warnings=(str(error),))
    first, last = pages
    facts = tuple(PageFacts(number, 0.0, 0.0, 0, has_ink=True, kind="failed") for number in range(first, last + 1))
    return ConvertedDocument({}, facts, (f"Pages {first} to {last}: {error}",))


def _draft(row: dict[str, Any]) -> ChunkDraft:
    spans = tuple(Span(span["start"], span["end"], tuple(Box(**box) for box in span["boxes"])) for span in row["spans"])
    return ChunkDraft(**{**row, "headings": tuple(row["headings"]), "pages": tuple(row["pages"]), "spans": spans})
