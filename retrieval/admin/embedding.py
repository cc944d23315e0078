"""Vectors: to be looked at only."""

from __future__ import annotations

from django.contrib import admin

from corpus.admin.by_role import ByRole
from retrieval.models import Embedding


@admin.register(Embedding)
class EmbeddingAdmin(ByRole):
    """Which chunk has a vector in which store."""

    list_display = ("chunk", "store", "text_hash")
    list_filter = (("store", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("chunk__source_file__path",)
    list_select_related = ("store__collection__domain", "chunk__source_file")
    fields = ("store", "chunk", "text_hash")
    raw_id_fields = ("chunk",)
