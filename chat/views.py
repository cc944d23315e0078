"""The chat page: rendered here with what there is, brought to life by small modules in static/klea/js/chat."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from chat.core.examples import questions_for
from chat.models import Session
from chat.transcript import session_as_dict, turns_of
from corpus.access import domains_with_role
from corpus.models import Domain, Role, SourceFile, State
from corpus.models.visibility import type_of_user

SESSIONS_SHOWN = 200
TITLES_FOR_EXAMPLES = 30


@require_GET
@login_required
@ensure_csrf_cookie
def chat(request: HttpRequest, session_id: int | None = None) -> HttpResponse:
    """Show a conversation, or an empty one."""
    sessions = Session.objects.visible_to(request.user)
    session = get_object_or_404(sessions, pk=session_id) if session_id is not None else None
    domains = _domains(request.user)
    context = {
        "session": session,
        "sessions": sessions.order_by("-updated")[:SESSIONS_SHOWN],
        "domains": domains,
        "has_documents": any(getattr(domain, "findable", 0) for domain in domains),
        "may_upload": domains_with_role(request.user, Role.CURATOR).exists(),
        "examples": _examples(request.user, domains),
        "page": _for_scripts(request.user, session),
        "question_max": settings.QUESTION_MAX_CHARACTERS,
        "is_extractive": settings.PROVIDER == "extractive",
    }
    return render(request, "chat/page.html", context)


def _domains(user: type_of_user) -> list[Domain]:
    found = State.READY, State.PARTIAL
    held = Count("collections__source_files", filter=Q(collections__source_files__state__in=found))
    rows: QuerySet[Domain] = Domain.objects.visible_to(user).annotate(findable=held)
    return list(rows)


def _examples(user: type_of_user, domains: list[Domain]) -> list[str]:
    titles = SourceFile.objects.visible_to(user).filter(state=State.READY, metadata_entries__heading="DEFAULT")
    rows = titles.order_by("pk").values_list("collection__domain__slug", "metadata_entries__values__title")[:TITLES_FOR_EXAMPLES]
    by_domain: dict[str, list[str]] = {}
    for slug, title in rows:
        if isinstance(title, str):
            by_domain.setdefault(slug, []).append(title)
    return questions_for([(domain.name, by_domain.get(domain.slug, [])) for domain in domains if domain.slug in by_domain])


def _for_scripts(user: type_of_user, session: Session | None) -> dict[str, Any]:
    return {
        "session": session_as_dict(session) if session else None,
        "turns": turns_of(session, user) if session else [],
        "questionMax": settings.QUESTION_MAX_CHARACTERS,
    }
