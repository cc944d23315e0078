"""What a reader may see of a conversation: turns with their citations, in one structure for page, API and export."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from chat.core.rendering import numbers_in, render
from chat.models import Citation, Session, Turn
from corpus.core.text import remove_unstorable
from corpus.models.visibility import type_of_user

HIDDEN = "This answer rests on a domain that you may no longer see."


def session_as_dict(session: Session) -> dict[str, Any]:
    """Return a session without its turns."""
    return {
        "id": session.pk,
        "title": session.title,
        "domains": [domain.slug for domain in session.domains.all()],
        "created": session.created.isoformat(),
        "updated": session.updated.isoformat(),
    }


def sessions_with(user: type_of_user, words: str) -> QuerySet[Session]:
    """Return the user's sessions whose title, a question or a readable answer holds `words`."""
    plain = remove_unstorable(words).strip()
    asked = Turn.objects.visible_to(user).filter(question__icontains=plain)
    answered = Turn.objects.readable_by(user).filter(answer__icontains=plain)
    found = Q(title__icontains=plain) | Q(pk__in=asked.values("session")) | Q(pk__in=answered.values("session"))
    sessions: QuerySet[Session] = Session.objects.visible_to(user).filter(found)
    return sessions


def turns_of(session: Session, user: type_of_user) -> list[dict[str, Any]]:
    """Return the turns of a session in order, as `user` may see them."""
    turns = list(Turn.objects.visible_to(user).filter(session=session).order_by("ordinal"))
    return turns_as_dicts(turns, user)


def turns_as_dicts(turns: Iterable[Turn], user: type_of_user) -> list[dict[str, Any]]:
    """Return turns with their citations; an answer that rests on a domain that the user no longer sees is left out."""
    turns = list(turns)
    ids = [turn.pk for turn in turns]
    readable = set(Turn.objects.readable_by(user).filter(pk__in=ids).values_list("pk", flat=True))
    citations: dict[int, list[Citation]] = {}
    for citation in Citation.objects.visible_to(user).filter(turn_id__in=readable):
        citations.setdefault(citation.turn_id, []).append(citation)
    return [_as_dict(turn, citations.get(turn.pk, ()), is_readable=turn.pk in readable) for turn in turns]


def _as_dict(turn: Turn, citations: Iterable[Citation], *, is_readable: bool) -> dict[str, Any]:
    shown = [citation_as_dict(citation) for citation in citations] if is_readable else []
    answer = turn.answer if is_readable else ""
    markers = {citation["marker"] for citation in shown}
    if turn.kind == Turn.Kind.ABSTAINED:
        markers |= numbers_in(answer)  # Klea's own list of the nearest passages
    return {
        "id": turn.pk,
        "session": turn.session_id,
        "ordinal": turn.ordinal,
        "question": turn.question,
        "standalone_question": turn.standalone_question,
        "domains": turn.domains if is_readable else [],
        "state": turn.state,
        "kind": turn.kind,
        "answer": answer,
        "html": render(answer, markers=markers, link_is_known=lambda address: address in _links(shown)),
        "citations": shown,
        "error": turn.error if is_readable else HIDDEN,
        "readable": is_readable,
        "feedback": turn.feedback,
        "created": turn.created.isoformat(),
        "finished": turn.finished.isoformat() if turn.finished else None,
    }


def _links(citations: Iterable[dict[str, Any]]) -> set[str]:
    return {address for citation in citations for _, address in citation["source"].get("links", ())}


def citation_as_dict(citation: Citation) -> dict[str, Any]:
    """Return a citation with the source as it was when it was cited."""
    snapshot = citation.snapshot
    return {
        "id": citation.pk,
        "marker": citation.marker,
        "position": citation.position,
        "sentence": citation.sentence,
        "quote": citation.quote,
        "start": snapshot.get("start", 0),
        "end": snapshot.get("end", 0),
        "pages": citation.pages,
        "boxes": citation.boxes,
        "support": citation.support,
        "chunk": citation.chunk_id,
        "source": {key: part for key, part in snapshot.items() if key not in {"start", "end", "metadata"}},
    }


def as_markdown(session: Session, turns: Iterable[dict[str, Any]]) -> str:
    """Return a conversation as Markdown, with the sources of each answer below it."""
    parts = [f"# {session.title or 'Conversation'}"]
    for turn in turns:
        parts += [f"## {' '.join(turn['question'].split())}", turn["answer"] or turn["error"] or "(no answer)"]
        sources: dict[int, str] = {}
        for citation in turn["citations"]:
            sources.setdefault(citation["marker"], _source_line(citation))
        if sources:
            parts.append("\n".join(f"[{n}] {line}" for n, line in sorted(sources.items())))
    return "\n\n".join(parts) + "\n"


def _source_line(citation: dict[str, Any]) -> str:
    source = citation["source"]
    facts = [
        ", ".join(source.get("authors", [])),
        str(source.get("year") or ""),
        source.get("title", ""),
        source.get("venue", ""),
    ]
    where = [source.get("section", ""), f"page {citation['pages'][0]}" if citation["pages"] else ""]
    links = [address for _, address in source.get("links", [])]
    return ". ".join(part for part in [*facts, ", ".join(filter(None, where)), " ".join(links)] if part)
