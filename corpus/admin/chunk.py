"""Chunks: their text can be changed and they can be switched off, by the verbs of `corpus.chunk_editing`."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from corpus import chunk_editing
from corpus.admin.by_role import ByRole
from corpus.models import Chunk, Role


@admin.register(Chunk)
class ChunkAdmin(ByRole):
    """Chunks."""

    role_to_change = Role.CURATOR
    list_display = ("beginning", "source_file", "ordinal", "kind", "pages", "token_count", "enabled", "edited")
    list_filter = ("kind", "enabled", "edited", ("source_file__collection", admin.RelatedOnlyFieldListFilter))
    search_fields = ("text", "source_file__path")
    list_select_related = ("source_file__collection__domain",)
    fields = ("in_library", "source_file", "ordinal", "headings", "kind", "text", "enabled", "pages", "token_count", "metadata")
    readonly_fields = ("in_library", "source_file", "ordinal", "headings", "kind", "pages", "token_count", "metadata")

    @admin.display(description="Text")
    def beginning(self, chunk: Chunk) -> str:
        """Return the first words."""
        return Truncator(chunk.text).chars(90)

    @admin.display(description="In the library")
    def in_library(self, chunk: Chunk) -> SafeString:
        """Return a link to the passage on its page."""
        page = chunk.pages[0] if chunk.pages else 1
        address = reverse("source-file", args=[chunk.source_file_id])
        return format_html('<a href="{}?page={}#chunk-{}">On its page</a>', address, page, chunk.pk)

    def save_model(self, request: HttpRequest, obj: Chunk, form: Any, change: bool) -> None:  # noqa: FBT001 -- Django's
        """Ask the verbs."""
        actor: Any = request.user
        if "text" in form.changed_data:
            chunk_editing.edit_text(actor, obj.pk, obj.text)
        if "enabled" in form.changed_data:
            chunk_editing.set_enabled(actor, obj.pk, enabled=obj.enabled)
