"""What only Anthropic's API has: a cached prompt, and citations by its own means."""

from __future__ import annotations

from chat.provider import AnswerTask, Call, Message, SourceCard, Text
from chat.providers.anthropic import AnthropicProvider
from tests.chat.wire.dialects import SSE, Anthropic, event
from tests.chat.wire.server import Answer, ScriptedServer

TASK = AnswerTask("Why?", (SourceCard(1, "It fires at 5 Hz.", title="On firing"), SourceCard(2, "It rests.", title="On rest")))
CALL = Call("answer", "Rules.", (Message("user", "Sources and question"),), TASK, timeout_s=5)


def cited(text: str, *documents: int) -> list[str]:
    """A block of text that cites documents, by their place from 0."""
    location = {"type": "char_location", "cited_text": "x", "start_char_index": 0, "end_char_index": 1, "document_title": None}
    deltas = [{"type": "citations_delta", "citation": {**location, "document_index": place}} for place in documents]
    return [
        event("content_block_start", index=1, content_block={"type": "text", "text": "", "citations": []}),
        event("content_block_delta", index=1, delta={"type": "text_delta", "text": text}),
        *(event("content_block_delta", index=1, delta=delta) for delta in deltas),
        event("content_block_stop", index=1),
    ]


async def test_the_stable_part_of_the_prompt_is_marked_for_the_cache() -> None:
    async with ScriptedServer([Anthropic().stream(["Yes."])]).running() as server:
        provider = AnthropicProvider(key="k", base_url=server.address, model="m")
        pieces = [piece async for piece in provider.stream(CALL)]
        await provider.close()

    assert server.asked[0]["system"] == [{"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}}]
    assert pieces[-1].spent.tokens_cached == 60  # type: ignore[union-attr]


async def test_citations_of_the_api_become_numbers_before_the_full_stop() -> None:
    whole = Anthropic().stream([])
    parts = [whole.parts[0], *cited("It fires at 5 Hz.", 0), *cited(" Then it rests.", 1, 0, 1), *whole.parts[-2:]]
    async with ScriptedServer([Answer(parts, kind=SSE)]).running() as server:
        provider = AnthropicProvider(key="k", base_url=server.address, model="m", native_citations=True)
        text = "".join([piece.text async for piece in provider.stream(CALL) if isinstance(piece, Text)])
        await provider.close()

    content = server.asked[0]["messages"][0]["content"]
    assert text == "It fires at 5 Hz [1]. Then it rests [2][1]."
    assert [part["type"] for part in content] == ["document", "document", "text"]
    assert content[0]["source"]["data"] == "It fires at 5 Hz."
    assert content[0]["citations"] == {"enabled": True}
