"""Which provider does which job, and every call to it: retried within the turn's budget, and written to the ledger."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

from django.conf import settings

from chat.model_choice import ROLES, Assignment, price_of
from chat.models import Usage
from chat.offloading import in_thread
from chat.provider import Call, Ended, Piece, Provider, Purpose, Reply, Spent, Text
from chat.provider_error import BadReplyError, ProviderError, SilentError
from corpus.backend import from_settings

logger = logging.getLogger(__name__)
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
CHARACTERS_A_TOKEN = 12


@dataclass
class ModelAccess:
    """The models of one turn.

    Attributes:
        deadline: the monotonic time after which nothing is tried again.
        calls: how many calls were made, tries included.
        on_retry: told, in a sentence, when a call is tried again.
    """

    assignments: dict[str, Assignment]
    turn_id: int | None
    user_id: int | None
    deadline: float
    on_retry: Callable[[str], None] = lambda _: None
    calls: int = 0
    spent: list[Spent] = field(default_factory=list)

    def provider(self, purpose: Purpose) -> Provider:
        """Return the provider of a job."""
        found: Provider = from_settings("PROVIDERS", self._assignment(purpose).provider)
        return found

    def model_of(self, purpose: Purpose) -> str:
        """Return the name of the model that does a job; empty for a provider without models."""
        return self._assignment(purpose).model or self.provider(purpose).default_model

    def has_model(self, purpose: Purpose) -> bool:
        """Say whether a language model does this job."""
        return self.provider(purpose).needs_model

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Stream a reply; a fault before the first piece is tried again, after it it is raised."""
        tries = _Tries(self, call)
        while True:
            said = False
            try:
                async for piece in self._measured_stream(tries.call):
                    said = True
                    yield piece
                return
            except ProviderError as error:
                if said:
                    raise
                await tries.after(error)

    async def structured(self, call: Call) -> Reply:
        """Return a structured reply; a fault is tried again, a reply that can't be read is asked for once more."""
        tries = _Tries(self, call)
        while True:
            try:
                return await self._measured(tries.call)
            except ProviderError as error:
                await tries.after(error)

    async def text(self, call: Call) -> str:
        """Return a whole reply as text."""
        parts = [piece.text async for piece in self.stream(call) if isinstance(piece, Text)]
        return "".join(parts)

    def assigned(self, call: Call) -> Call:
        """Return the call with the model that its purpose is assigned."""
        return call if call.model else replace(call, model=self.model_of(call.purpose))

    def fallback_of(self, purpose: Purpose) -> str:
        """Return the model that is asked when the first is overloaded; empty for none."""
        return self._assignment(purpose).fallback_model

    def _assignment(self, purpose: Purpose) -> Assignment:
        return self.assignments.get(ROLES[purpose]) or self.assignments.get("chat") or Assignment(settings.PROVIDER)

    async def _measured_stream(self, call: Call) -> AsyncIterator[Piece]:
        began, spent, fault = time.monotonic(), Spent(), ""
        self.calls += 1
        pieces = self.provider(call.purpose).stream(call)
        try:
            written = 0
            async for piece in _in_time(pieces, call.timeout_s):
                if isinstance(piece, Ended):
                    spent = piece.spent
                elif (written := written + len(piece.text)) > call.max_tokens * CHARACTERS_A_TOKEN:
                    yield Ended("length")
                    return
                yield piece
        except ProviderError as error:
            fault = type(error).__name__
            raise
        except asyncio.CancelledError:
            fault = "stopped"
            raise
        finally:
            if hasattr(pieces, "aclose"):
                await pieces.aclose()
            self._note(call, spent, began, fault)

    async def _measured(self, call: Call) -> Reply:
        began, spent, fault = time.monotonic(), Spent(), ""
        self.calls += 1
        try:
            async with asyncio.timeout(call.timeout_s):
                reply = await self.provider(call.purpose).structured(call)
            spent = reply.spent
            return reply
        except TimeoutError as error:
            fault = "SilentError"
            raise SilentError(f"No reply in {call.timeout_s:g} s.") from error
        except ProviderError as error:
            fault = type(error).__name__
            raise
        except asyncio.CancelledError:
            fault = "stopped"
            raise
        finally:
            self._note(call, spent, began, fault)

    def _note(self, call: Call, spent: Spent, began: float, fault: str) -> None:
        self.spent.append(spent)
        row = Usage(
            turn_id=self.turn_id,
            user_id=self.user_id,
            role=ROLES[call.purpose],
            provider=self._assignment(call.purpose).provider,
            model=call.model,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            tokens_cached=spent.tokens_cached,
            took_ms=round((time.monotonic() - began) * 1000),
            price=price_of(call.model, spent),
            error=fault,
        )
        _ledger_tasks.add(task := asyncio.ensure_future(in_thread(row.save)))
        task.add_done_callback(_ledger_tasks.discard)


_ledger_tasks: set[asyncio.Future[None]] = set()


async def ledger_written() -> None:
    """Wait until every call that ended is in the ledger."""
    if _ledger_tasks:
        await asyncio.wait(list(_ledger_tasks))


async def _in_time(pieces: AsyncIterator[Piece], silence_s: float) -> AsyncIterator[Piece]:
    """Pass pieces on; a silence that is too long raises."""
    while True:
        try:
            async with asyncio.timeout(silence_s):
                piece = await anext(pieces, None)
        except TimeoutError as error:
            raise SilentError(f"Nothing came for {silence_s:g} s.") from error
        if piece is None:
            return
        yield piece


class _Tries:
    """Decides after a fault: wait and try again, try the fallback model, ask once more for readable JSON, or give up."""

    def __init__(self, access: ModelAccess, call: Call) -> None:
        self.call = access.assigned(call)
        self._access = access
        self._failed = 0
        self._repaired = False

    async def after(self, error: ProviderError) -> None:
        """Wait for the next try.

        Raises:
            ProviderError: the fault itself, when trying again makes no sense or there is no time left.
        """
        self._failed += 1
        if isinstance(error, BadReplyError):
            if self._repaired:
                raise error
            self._repaired = True
            self._access.on_retry("The model's reply could not be read; it is asked once more.")
            return
        wait_s = self._wait_s(error)
        if not error.retryable or self._failed > settings.MODEL_RETRIES or time.monotonic() + wait_s > self._access.deadline:
            self._take_fallback(error)
            return
        self._access.on_retry(f"{error.message} Trying again.")
        await asyncio.sleep(wait_s)

    def _wait_s(self, error: ProviderError) -> float:
        grown = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (self._failed - 1))
        jittered = grown * random.uniform(0.5, 1.0)  # noqa: S311 -- spreads the tries of many clients
        return max(jittered, error.retry_after_s or 0.0)

    def _take_fallback(self, error: ProviderError) -> None:
        fallback = self._access.fallback_of(self.call.purpose)
        if not fallback or fallback == self.call.model or not error.retryable or time.monotonic() > self._access.deadline:
            raise error
        logger.warning("%s did not answer (%s); %s is asked.", self.call.model, error, fallback)
        self._access.on_retry(f"{self.call.model} does not answer; {fallback} is asked instead.")
        self.call = replace(self.call, model=fallback)
        self._failed = 0
