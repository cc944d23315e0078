"""Change passages by hand, from the page of their file."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from corpus import chunk_editing
from corpus.models import Chunk


@login_required
@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a passage's text, or let searches find it or not."""
    actor: Any = request.user
    try:
        if "enabled" in request.POST:
            chunk = chunk_editing.set_enabled(actor, pk, enabled=request.POST["enabled"] == "1")
            messages.success(request, "Searches find it." if chunk.enabled else "Searches leave it out.")
        else:
            chunk = chunk_editing.edit_text(actor, pk, request.POST.get("text", ""))
            messages.success(request, "The passage is changed; it stays so when the file is converted again.")
    except chunk_editing.BadText as error:
        messages.error(request, str(error))
        chunk = Chunk.objects.visible_to(request.user).get(pk=pk)
    return _back(chunk)


@login_required
@require_POST
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a passage to a file."""
    actor: Any = request.user
    page = request.POST.get("page", "")
    headings = [part.strip() for part in request.POST.get("headings", "")[:1000].split(">") if part.strip()]
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 7 else None  # noqa: PLR2004
    try:
        chunk = chunk_editing.add(actor, pk, request.POST.get("text", ""), headings=headings, page=number or None)
    except chunk_editing.BadText as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(reverse("source-file", args=[pk]))
    messages.success(request, "The passage is added.")
    return _back(chunk)


def _back(chunk: Chunk) -> HttpResponse:
    page = f"?page={chunk.pages[0]}" if chunk.pages else ""
    return HttpResponseRedirect(f"{reverse('source-file', args=[chunk.source_file_id])}{page}#chunk-{chunk.pk}")
