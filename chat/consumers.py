"""The websocket of a session: questions come in, events go out; nothing that a client sends can break it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from chat import answering, runs
from chat.asking import AskError, ask, request_stop
from chat.following import Reader, follow
from chat.models import Session, Turn
from chat.offloading import in_thread
from corpus.models.visibility import type_of_user

SIGN_IN, NOT_FOUND, TOO_MANY, BAD_FRAMES = 4401, 4404, 4429, 4400
MOST_BAD_FRAMES = 20
MOST_FOLLOWED = 4
MOST_DOMAINS = 100
FRAME_EXTRA = 4_096
_open_sockets: set[SessionConsumer] = set()


class SessionConsumer(AsyncWebsocketConsumer):
    """One browser at one session."""

    session_id = 0
    user: type_of_user

    async def connect(self) -> None:
        """Let in the owner of the session; others get a code that says why not."""
        self._following: dict[int, asyncio.Task[None]] = {}
        self._bad_frames = 0
        self._sending = asyncio.Lock()
        self.user = self.scope.get("user") or AnonymousUser()
        await self.accept()
        if len(_open_sockets) >= settings.SOCKETS_MAX:
            await self.close(TOO_MANY)
            return
        if not self.user.is_authenticated:
            await self.close(SIGN_IN)
            return
        _open_sockets.add(self)
        self.session_id = int(self.scope["url_route"]["kwargs"]["session_id"])
        if await in_thread(self._session) is None:
            self.session_id = 0
            await self.close(NOT_FOUND)

    async def disconnect(self, code: int) -> None:
        """Stop following; the runs go on."""
        _open_sockets.discard(self)
        for task in self._following.values():
            task.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Do what a frame asks; a frame that can't be read is answered."""
        if not self.session_id:
            return
        try:
            frame = _read_frame(text_data)
            await self._do(frame)
        except AskError as error:
            await self._refuse(error.message, error.advice)
        except Http404:
            await self._refuse("There is no such question in this session.", "Reload the page.")
        except FrameError as error:
            self._bad_frames += 1
            await self._refuse(str(error), error.advice)
            if self._bad_frames >= MOST_BAD_FRAMES:
                await self.close(BAD_FRAMES)

    async def _do(self, frame: dict[str, Any]) -> None:
        match frame.get("type"):
            case "ask":
                await self._ask(_text(frame, "question"), _slugs(frame))
            case "stop":
                await self._stop(_number(frame, "turn"))
            case "resume":
                await self._resume(_number(frame, "turn"), _number(frame, "seq", least=0))
            case "ping":
                await self._send_out({"type": "heartbeat"})
            case _:
                raise FrameError("This kind of message is unknown.", "Send ask, stop, resume or ping.")

    async def _ask(self, question: str, domains: list[str] | None) -> None:
        turn = await in_thread(self._asked, question, domains)
        answering.start(turn.pk)
        self._follow(turn.pk, after=0)

    def _asked(self, question: str, domains: list[str] | None) -> Turn:
        session = self._session()
        if session is None:
            raise Http404
        return ask(self.user, session, question, domains=domains)

    async def _stop(self, turn_id: int) -> None:
        await in_thread(request_stop, self.user, turn_id)
        runs.stop_here(turn_id)

    async def _resume(self, turn_id: int, seq: int) -> None:
        if not await in_thread(Turn.objects.visible_to(self.user).filter(pk=turn_id, session_id=self.session_id).exists):
            raise Http404
        self._follow(turn_id, after=seq)

    def _follow(self, turn_id: int, *, after: int) -> None:
        if old := self._following.pop(turn_id, None):
            old.cancel()
        while len(self._following) >= MOST_FOLLOWED:
            self._following.pop(next(iter(self._following))).cancel()
        task = asyncio.create_task(self._pass_on(turn_id, after), name=f"socket follows turn {turn_id}")
        self._following[turn_id] = task
        task.add_done_callback(lambda done: self._forget(turn_id, done))

    def _forget(self, turn_id: int, task: asyncio.Task[None]) -> None:
        if self._following.get(turn_id) is task:
            del self._following[turn_id]

    async def _pass_on(self, turn_id: int, after: int) -> None:
        session = self.scope.get("session")
        reader = Reader(self.user, turn_id, session_key=getattr(session, "session_key", None) or "")
        async for batch in follow(turn_id, after=after, may_read=reader.may_read):
            for event in batch or [{"type": "heartbeat"}]:
                await self._send_out(event)

    async def _send_out(self, event: dict[str, Any]) -> None:
        async with self._sending:
            await self.send(json.dumps(event, ensure_ascii=False))

    async def _refuse(self, message: str, advice: str) -> None:
        await self._send_out({"type": "error", "message": message, "advice": advice})

    def _session(self) -> Session | None:
        return Session.objects.visible_to(self.user).filter(pk=self.session_id).first()


class FrameError(Exception):
    """A frame that can't be read."""

    retryable = False

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def _read_frame(text: str | None) -> dict[str, Any]:
    if text is None:
        raise FrameError("The message is binary.", "Send JSON as text.")
    if len(text) > settings.QUESTION_MAX_CHARACTERS * 2 + FRAME_EXTRA:
        raise FrameError(
            f"The message has {len(text):,} characters.",
            f"A question may have {settings.QUESTION_MAX_CHARACTERS:,} characters. To ask about a long text, add it as a file.",
        )
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError("The message is not JSON.", 'Send {"type": "ask", "question": "…"}.') from error
    if not isinstance(frame, dict):
        raise FrameError("The message is not a JSON object.", 'Send {"type": "ask", "question": "…"}.')
    return frame


def _text(frame: dict[str, Any], name: str) -> str:
    value = frame.get(name)
    if not isinstance(value, str):
        raise FrameError(f"'{name}' is missing or not a text.", f'Send "{name}" as a text.')
    return value


def _number(frame: dict[str, Any], name: str, *, least: int = 1) -> int:
    value = frame.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**62:
        raise FrameError(f"'{name}' is missing or not a number.", f'Send "{name}" as a whole number from {least}.')
    return value


def _slugs(frame: dict[str, Any]) -> list[str] | None:
    value = frame.get("domains")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > MOST_DOMAINS or not all(isinstance(slug, str) for slug in value):
        raise FrameError("'domains' is not a list of texts.", "Send the slugs of the domains, or leave it out.")
    return value
