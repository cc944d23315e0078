"""A model's reasoning, kept apart from its answer, while both stream in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

PartKind = Literal["thinking", "answer", "retracted"]

_TAG: Final = re.compile(r"<(/?)(think|thinking|reasoning|answer|final_answer)\s*>", re.IGNORECASE)
_STARTS: Final = tuple(
    f"<{slash}{name}>" for slash in ("", "/") for name in ("thinking", "reasoning", "final_answer", "answer", "think")
)
_HELD: Final = max(map(len, _STARTS)) + 4
_TICKS: Final = re.compile(r"`+")


@dataclass(frozen=True)
class Part:
    """A piece of reasoning or of the answer; `retracted` says that all of the answer so far was reasoning."""

    kind: PartKind
    text: str = ""


class ThinkingStream:
    """Tells reasoning from answer: <think>, <thinking>, <reasoning> and <answer>, split over pieces or never closed.

    Tags within code are text. A closing tag without an opening one turns all before it into reasoning.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._fence = ""  # the backticks that the code around us began with
        self._said = False

    def feed(self, text: str) -> list[Part]:
        """Take a piece; what may become a tag is held back."""
        self._held += text
        end = len(self._held)
        for place in range(max(0, end - _HELD), end):
            rest = self._held[place:]
            if rest[0] == "`" and not rest.strip("`"):
                end = place
                break
            if rest[0] == "<" and ">" not in rest and any(tag.startswith(rest.rstrip().lower()) for tag in _STARTS):
                end = place
                break
        ready, self._held = self._held[:end], self._held[end:]
        return _joined(self._read(ready))

    def close(self) -> list[Part]:
        """Return what was held back."""
        ready, self._held = self._held, ""
        return _joined(self._read(ready))

    def _read(self, text: str) -> Iterator[Part]:
        position = 0
        while position < len(text):
            tag = None if self._fence else _TAG.search(text, position)
            ticks = _TICKS.search(text, position)
            if ticks is not None and (tag is None or ticks.start() < tag.start()):
                yield from self._told(text[position : ticks.end()])
                self._toggle(ticks.group())
                position = ticks.end()
            elif tag is not None:
                yield from self._told(text[position : tag.start()])
                yield from self._switched(closing=bool(tag.group(1)), name=tag.group(2).lower())
                position = tag.end()
            else:
                yield from self._told(text[position:])
                return

    def _toggle(self, ticks: str) -> None:
        if not self._fence:
            self._fence = ticks
        elif self._fence == ticks or (len(self._fence) >= 3 and len(ticks) >= len(self._fence)):
            self._fence = ""

    def _switched(self, *, closing: bool, name: str) -> Iterator[Part]:
        if name.endswith("answer"):
            self._thinking = False
            return
        if closing and not self._thinking and self._said:
            yield Part("retracted")
            self._said = False
        self._thinking = not closing

    def _told(self, text: str) -> Iterator[Part]:
        if text:
            self._said = self._said or not self._thinking
            yield Part("thinking" if self._thinking else "answer", text)


def _joined(parts: Iterator[Part]) -> list[Part]:
    told: list[Part] = []
    for part in parts:
        if told and told[-1].kind == part.kind != "retracted":
            told[-1] = Part(part.kind, told[-1].text + part.text)
        else:
            told.append(part)
    return told


def split_thinking(text: str) -> tuple[str, str]:
    """Return the reasoning and the answer of a whole reply.

    >>> split_thinking("<think>a</think>b</think>c"), split_thinking("r</think>ans")
    (('ab', 'c'), ('r', 'ans'))
    """
    stream = ThinkingStream()
    thinking, answer = "", ""
    for part in [*stream.feed(text), *stream.close()]:
        if part.kind == "thinking":
            thinking += part.text
        elif part.kind == "answer":
            answer += part.text
        else:
            thinking, answer = thinking + answer, ""
    return thinking.strip(), answer.strip()
