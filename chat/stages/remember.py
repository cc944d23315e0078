"""Keep what was said: the answer with its citations in the database, and the rolling summary of the session."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from chat.models import Citation, Turn
from chat.offloading import in_thread
from chat.turn_run import TurnRun
from corpus.models import Chunk


async def remember(run: TurnRun) -> None:
    """Store the citations of the turn; the answer itself is stored when the turn ends."""
    await in_thread(store_citations, run.turn_id, run.citations)


@transaction.atomic
def store_citations(turn_id: int, citations: list[dict[str, Any]]) -> None:
    """Replace the stored citations of a turn."""
    Turn.objects.get(pk=turn_id).citations.all().delete()
    chunks = [citation["source"].chunk_id for citation in citations]
    still_there = set(Chunk.objects.filter(pk__in=chunks).values_list("pk", flat=True))
    Citation.objects.bulk_create(
        Citation(
            turn_id=turn_id,
            marker=citation["marker"],
            chunk_id=citation["source"].chunk_id if citation["source"].chunk_id in still_there else None,
            domain_id=citation["source"].domain_id,
            snapshot={**citation["source"].snapshot(), "start": citation["start"], "end": citation["end"]},
            sentence=citation["sentence"],
            quote=citation["quote"],
            pages=citation["pages"],
            boxes=citation["boxes"],
            support=citation["support"],
            position=citation["position"],
        )
        for citation in citations
    )
