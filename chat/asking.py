"""What a person can do with a conversation: open a session, ask, stop, rate, rename, delete. Each checks permission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.http import Http404
from django.utils import timezone

from chat.model_choice import allowed_choices
from chat.models import ModelAssignment, Session, Turn, TurnEvent
from corpus.core.text import remove_unstorable
from corpus.models import Domain
from corpus.models.visibility import scope_of, type_of_user

LIVE = (Turn.State.WAITING, Turn.State.RUNNING)
TITLE_LENGTH = 80
INTERRUPTED = "The server was restarted while it answered this question."
ASK_AGAIN = "Nothing of your question is lost. Ask it again."


class AskError(Exception):
    """A question that can't be asked; `status` is the HTTP status that fits."""

    retryable = False

    def __init__(self, message: str, *, advice: str, status: int = 400, allowed: object = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.status = status
        self.allowed = allowed


def open_session(user: type_of_user, *, title: str = "", domains: Sequence[str] = ()) -> Session:
    """Make a session for `user`, with domains fixed by hand if there are any; a key with a scope fixes them always.

    Raises:
        AskError: the user sees no such domain.
    """
    chosen = _fixed(user, domains)
    session = Session.objects.create(owner_id=user.pk or 0, title=title.strip()[:200])
    session.domains.set(chosen)
    return session


def _fixed(user: type_of_user, slugs: Sequence[str]) -> list[Domain]:
    """Return the domains to fix in a session; a key that is limited to domains always fixes them."""
    chosen = known_domains(user, slugs)
    return list(Domain.objects.visible_to(user)) if not chosen and scope_of(user) is not None else chosen


def known_domains(user: type_of_user, slugs: Sequence[str]) -> list[Domain]:
    """Return the domains that `slugs` name, in that order.

    Raises:
        AskError: one doesn't exist for this user; the message lists those that do.
    """
    found = {domain.slug: domain for domain in Domain.objects.visible_to(user).filter(slug__in=slugs)}
    if missing := [slug for slug in slugs if slug not in found]:
        allowed = list(Domain.objects.visible_to(user).values_list("slug", flat=True))
        raise AskError(
            f"There is no domain '{missing[0][:80]}'.",
            advice=f"Choose among: {', '.join(allowed)}." if allowed else "Ask a manager to make you a member of a domain.",
            status=404,
            allowed=allowed,
        )
    return [found[slug] for slug in dict.fromkeys(slugs)]


def ask(user: type_of_user, session: Session, question: str, *, domains: Sequence[str] | None = None) -> Turn:
    """Put a question into a session; `answering.start` answers it.

    Args:
        user: who asks.
        session: one of the user's own.
        question: as it was written.
        domains: fixes the domains from this turn on; an empty list lets the classifier choose again; None leaves it.

    Raises:
        AskError: the question is empty or too long, a domain is unknown, or an earlier question is still being answered.
        Http404: the session isn't the user's.
    """
    text = checked_question(question)
    session_of(user, session.pk)
    if domains is not None:
        session.domains.set(_fixed(user, domains))
    interrupt_lost_turns(session)
    try:
        with transaction.atomic():
            Session.objects.select_for_update().get(pk=session.pk)
            last = session.turns.aggregate(last=Max("ordinal"))["last"] or 0
            turn = Turn.objects.create(session=session, ordinal=last + 1, question=text, heartbeat=timezone.now())
    except IntegrityError as error:
        raise AskError(
            "An earlier question of this session is still being answered.",
            advice="Wait for it, stop it, or ask in another session.",
            status=409,
        ) from error
    if not session.title:
        session.title = _title_from(text)
    session.save(update_fields=["title", "updated"])
    return turn


def checked_question(question: str) -> str:
    """Return the question without the white space around it.

    Raises:
        AskError: there is nothing left, or too much.
    """
    text = remove_unstorable(question).strip()
    if not text:
        raise AskError("The question is empty.", advice="Write a question.", status=400)
    if len(text) > settings.QUESTION_MAX_CHARACTERS:
        raise AskError(
            f"The question has {len(text):,} characters.",
            advice=f"Shorten it to {settings.QUESTION_MAX_CHARACTERS:,} characters. To ask about a long text, add it as a file.",
            status=413,
            allowed=settings.QUESTION_MAX_CHARACTERS,
        )
    return text


def _title_from(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rsplit(" ", 1)[0] + "…"


def request_stop(user: type_of_user, turn_id: int) -> Turn:
    """Mark a turn to be stopped, wherever it runs; one that has ended stays as it is.

    Raises:
        Http404: the turn isn't the user's.
    """
    turn = Turn.objects.visible_to(user).filter(pk=turn_id).first()
    if turn is None:
        raise Http404("There is no such turn.")
    Turn.objects.filter(pk=turn.pk, state__in=LIVE).update(stop_requested=True)
    turn.refresh_from_db()
    return turn


def change_session(
    user: type_of_user, session_id: int, *, title: str | None = None, domains: Sequence[str] | None = None
) -> Session:
    """Rename a session or fix its domains; what is None stays.

    Raises:
        AskError: an unknown domain.
        Http404: the session isn't the user's.
    """
    session = session_of(user, session_id)
    if title is not None:
        session.title = remove_unstorable(title).strip()[:200]
        session.save(update_fields=["title", "updated"])
    if domains is not None:
        session.domains.set(_fixed(user, domains))
    return session


def choose_models(session: Session, chosen: Mapping[str, str]) -> None:
    """Choose the models of a session by role; an empty choice takes a role's own model back.

    Raises:
        AskError: a role or a choice that isn't allowed.
    """
    allowed = list(allowed_choices())
    for role, choice in chosen.items():
        if role not in ModelAssignment.Role.values or (choice and choice not in allowed):
            raise AskError(
                f"The model '{choice[:80]}' can't be chosen for '{role[:40]}'.",
                advice=f"Roles: {', '.join(ModelAssignment.Role.values)}. Models: {', '.join(allowed) or 'none may be chosen'}.",
                status=422,
                allowed=allowed,
            )
    session.models_by_role = {role: choice for role, choice in {**session.models_by_role, **chosen}.items() if choice}
    session.save(update_fields=["models_by_role", "updated"])


def delete_session(user: type_of_user, session_id: int) -> None:
    """Delete a session with its turns; one that is being answered is stopped.

    Raises:
        Http404: the session isn't the user's.
    """
    session_of(user, session_id).delete()


def session_of(user: type_of_user, session_id: int) -> Session:
    """Return a session of the user.

    Raises:
        Http404: there is no such session for this user.
    """
    session = Session.objects.visible_to(user).filter(pk=session_id).first()
    if session is None:
        raise Http404("There is no such session.")
    return session


def rate(user: type_of_user, turn_id: int, *, value: int | None, text: str = "") -> Turn:
    """Keep what the asker thinks of an answer: 1 good, -1 bad, None for no opinion.

    Raises:
        AskError: another value.
        Http404: the turn isn't the user's.
    """
    if value not in {1, -1, None}:
        raise AskError("The rating is neither good nor bad.", advice="Send 1, -1, or null.", status=422, allowed=[1, -1, None])
    turn = Turn.objects.visible_to(user).filter(pk=turn_id).first()
    if turn is None:
        raise Http404("There is no such turn.")
    turn.feedback, turn.feedback_text = value, remove_unstorable(text)[:4000]
    turn.save(update_fields=["feedback", "feedback_text"])
    return turn


def interrupt_lost_turns(session: Session | None = None) -> int:
    """Mark the running turns whose process is gone (their heartbeat stopped), and return how many there were.

    Each gets a last event that says so, for readers who come back.
    """
    silent_since = timezone.now() - timedelta(seconds=settings.TURN_HEARTBEAT_SECONDS)
    lost = Turn.objects.filter(state__in=LIVE, heartbeat__lt=silent_since)
    if session is not None:
        lost = lost.filter(session=session)
    return sum(_interrupt(pk) for pk in lost.values_list("pk", flat=True))


@transaction.atomic
def _interrupt(turn_id: int) -> bool:
    turn = Turn.objects.select_for_update().filter(pk=turn_id, state__in=LIVE).first()
    if turn is None:
        return False
    events = list(turn.events.order_by("seq").values_list("seq", "type", "payload"))
    turn.answer = said_in(events)
    turn.state, turn.error, turn.finished = Turn.State.INTERRUPTED, f"{INTERRUPTED} {ASK_AGAIN}", timezone.now()
    turn.save(update_fields=["answer", "state", "error", "finished"])
    payload = {"message": INTERRUPTED, "advice": ASK_AGAIN, "retry": True}
    TurnEvent.objects.create(turn=turn, seq=(events[-1][0] if events else 0) + 1, type="failed", payload=payload)
    return True


def said_in(events: Sequence[tuple[int, str, dict[str, str]]]) -> str:
    """Return the answer that the events (seq, type, payload) have streamed."""
    text = ""
    for _, kind, payload in events:
        if kind == "delta":
            text += payload["text"]
        elif kind == "revised":
            text = payload["text"]
    return text
