"""Reasoning never reaches the answer, however the text is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.core.thinking import ThinkingStream, split_thinking

PIECES = st.sampled_from(
    [
        *("<think>", "</think>", "<thinking>", "</THINKING>", "<answer>", "</answer>", "word "),
        *("`<think>`", "```\n<think>\n```", "<", "x<y", "<thin", "\n"),
    ]
)


def streamed(text: str, size: int) -> tuple[str, str]:
    stream, thinking, answer = ThinkingStream(), "", ""
    parts = [part for place in range(0, len(text), size) for part in stream.feed(text[place : place + size])]
    for part in parts + stream.close():
        if part.kind == "retracted":
            thinking, answer = thinking + answer, ""
        elif part.kind == "thinking":
            thinking += part.text
        else:
            answer += part.text
    return thinking.strip(), answer.strip()


@pytest.mark.parametrize(
    ("reply", "thinking", "answer"),
    [
        ("<think>a</think>It fires.", "a", "It fires."),
        ("<thinking>a\n<answer>It fires.</answer>", "a", "It fires."),
        ("<think>never closed", "never closed", ""),
        ("Use `<think>` tags.", "", "Use `<think>` tags."),
        ("```\n<think>\n```\nIt fires.", "", "```\n<think>\n```\nIt fires."),
        ("a < b and b > c", "", "a < b and b > c"),
        ("<b>It</b> fires.", "", "<b>It</b> fires."),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_reasoning_is_split_off_however_it_streams(reply: str, thinking: str, answer: str, size: int) -> None:
    assert split_thinking(reply) == (thinking, answer)
    assert streamed(reply, size) == (thinking, answer)


@given(text=st.lists(PIECES, max_size=12).map("".join), size=st.integers(1, 9))
def test_the_stream_ends_as_the_whole_text(text: str, size: int) -> None:
    assert streamed(text, size) == split_thinking(text)
