from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from corpus.models.collection import Collection
from corpus.models.visibility import VisibleQuerySet


class State(models.TextChoices):
    """What a person sees of a file; READY is a promise (every page with ink has text, every chunk is in every store)."""

    QUEUED = "queued", "Queued"
    CONVERTING = "converting", "Converting"
    NEEDS_REVIEW = "needs_review", "Needs review"
    INDEXING = "indexing", "Indexing"
    READY = "ready", "Ready"
    PARTIAL = "partial", "Partial"
    NEEDS_OCR = "needs_ocr", "Needs OCR"
    PASSWORD_NEEDED = "password_needed", "Password needed"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"
    REMOVED = "removed", "Removed"


class SourceFileQuerySet(VisibleQuerySet):
    """Source files of domains that a user may see."""

    domain_path = "collection__domain__"

    def held(self) -> Self:
        """Leave removed files out."""
        return self.exclude(state=State.REMOVED)


class SourceFile(models.Model):
    """A file that is held, known by its relative path and the hash of its bytes."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="source_files")
    path = models.CharField(max_length=1000, help_text="Relative to the collection, with forward slashes.")
    content_hash = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the bytes, in hexadecimal.")
    size = models.BigIntegerField(help_text="In bytes.")
    media_type = models.CharField(max_length=120, blank=True, help_text="Found from the bytes.")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED, db_index=True)
    state_detail = models.JSONField(
        default=dict,
        blank=True,
        help_text="For a failure: stage, cause, advice; for PARTIAL: missing pages and chunks.",
    )
    stage = models.CharField(max_length=40, blank=True, help_text="The stage that is running or ran last.")
    page_count = models.PositiveIntegerField(null=True, blank=True)
    pages_done = models.PositiveIntegerField(default=0)
    pages = models.JSONField(default=list, blank=True, help_text="One record a page: number, width, height, characters, kind.")
    conversion_key = models.CharField(max_length=64, blank=True, help_text="Names the stored conversion: bytes and settings.")
    ocr = models.CharField(max_length=10, choices=Collection.Ocr.choices, blank=True, help_text="Empty: as the collection says.")
    sealed = models.TextField(
        blank=True, editable=False, help_text="The password for the next conversion, encrypted; emptied after it."
    )
    lease_holder = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="source_files"
    )
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects: ClassVar[SourceFileQuerySet] = SourceFileQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["collection", "path"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "path"],
                condition=~models.Q(state="removed"),
                name="source_file_path_once_per_collection",
            ),
            models.CheckConstraint(condition=models.Q(size__gte=0), name="source_file_size_not_negative"),
            models.CheckConstraint(
                condition=~models.Q(path="") & ~models.Q(path__startswith="/") & ~models.Q(path__contains="../"),
                name="source_file_path_relative",
            ),
        ]
        indexes = [models.Index(fields=["collection", "state"]), models.Index(fields=["state", "lease_until"])]

    def __str__(self) -> str:
        return self.path

    @property
    def ocr_choice(self) -> str:
        """Which pages are read by OCR: the file's own choice, else the collection's."""
        return self.ocr or self.collection.ocr

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[-1]
