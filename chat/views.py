"""The chat page: rendered here with what there is, brought to life by small modules in static/klea/js/chat."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from chat.core.ages import age_in_words
from chat.core.examples import Example, Offering, examples_for
from chat.models import Session
from chat.story import with_stories
from chat.transcript import session_as_dict, turns_of
from corpus.access import domains_with_role
from corpus.core.media_type import KINDS
from corpus.core.metadata_map import DEFAULT
from corpus.listing import collections_for
from corpus.models import Domain, Role, SourceFile, State
from corpus.models.visibility import type_of_user

SESSIONS_SHOWN = 300
TITLES_FOR_EXAMPLES = 8
FINDABLE = (State.READY, State.PARTIAL)


@never_cache
@require_GET
@login_required
@ensure_csrf_cookie
def chat(request: HttpRequest, session_id: int | None = None) -> HttpResponse:
    """Show a conversation, or an empty one."""
    user = request.user
    session = get_object_or_404(Session.objects.visible_to(user), pk=session_id) if session_id is not None else None
    domains = _domains(user)
    may_upload = domains_with_role(user, Role.CURATOR).exists()
    has_documents = any(getattr(domain, "findable", 0) for domain in domains)
    context = {
        "session": session,
        "sessions": _sessions(user),
        "domains": domains,
        "has_documents": has_documents,
        "upload_to": may_upload,
        "extensions": ",".join(extension for kind in KINDS for extension in kind.extensions) + ",.zip",
        "examples": _examples(user, domains) if session is None and has_documents else [],
        "page": _for_scripts(user, session, may_upload=may_upload),
        "is_extractive": settings.PROVIDER == "extractive",
    }
    return render(request, "chat/page.html", context)


def _domains(user: type_of_user) -> list[Domain]:
    held = Count("collections__source_files", filter=Q(collections__source_files__state__in=FINDABLE))
    rows: QuerySet[Domain] = Domain.objects.visible_to(user).annotate(findable=held)
    return list(rows)


def _sessions(user: type_of_user) -> list[Session]:
    today = timezone.localdate()
    sessions = list(Session.objects.visible_to(user).order_by("-updated")[:SESSIONS_SHOWN])
    for session in sessions:
        session.age = age_in_words(timezone.localdate(session.updated), today)  # type: ignore[attr-defined]
    return sessions


def _examples(user: type_of_user, domains: list[Domain]) -> list[Example]:
    titles = _titles(user, [domain.pk for domain in domains if not domain.example_questions.strip()])
    findable = [domain for domain in domains if getattr(domain, "findable", 0)]
    return examples_for(
        [Offering(domain.slug, domain.name, domain.example_questions, titles.get(domain.pk, ())) for domain in findable]
    )


def _titles(user: type_of_user, domains: list[int]) -> dict[int, list[str]]:
    """Return some titles of each domain, those that came last first."""
    place = Window(RowNumber(), partition_by="collection__domain", order_by="-updated")
    files = SourceFile.objects.visible_to(user).filter(state=State.READY, collection__domain__in=domains)
    titled = files.filter(metadata_entries__heading=DEFAULT, metadata_entries__values__has_key="title")
    rows = titled.annotate(place=place).filter(place__lte=TITLES_FOR_EXAMPLES)
    titles: dict[int, list[str]] = {}
    for domain_id, title in rows.values_list("collection__domain", "metadata_entries__values__title"):
        if isinstance(title, str):
            titles.setdefault(domain_id, []).append(title)
    return titles


def _for_scripts(user: Any, session: Session | None, *, may_upload: bool) -> dict[str, Any]:
    return {
        "session": session_as_dict(session) if session else None,
        "turns": with_stories(turns_of(session, user), session, user) if session else [],
        "questionMax": settings.QUESTION_MAX_CHARACTERS,
        "uploadTo": [{"id": one.pk, "name": f"{one.domain.name} / {one.name}"} for one in collections_for(user, Role.CURATOR)]
        if may_upload
        else [],
    }
