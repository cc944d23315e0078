"""Give every chunk of a file the metadata that its headings lead to, without converting the file again."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from corpus.core.metadata_map import resolve_metadata
from corpus.models import Chunk, MetadataEntry, SourceFile


def metadata_map_of(source_file: SourceFile) -> dict[str, dict[str, Any]]:
    """Return the file's entries as the seeds' map: ``DEFAULT`` and heading chains, each with its values."""
    return {entry.heading: dict(entry.values) for entry in MetadataEntry.objects.filter(source_file=source_file)}


def metadata_of(source_file: SourceFile, entries: dict[str, dict[str, Any]], headings: list[str]) -> dict[str, Any]:
    """Return what a chunk under `headings` is labelled with: folded entries and the file's name; derived keys stay out."""
    folded = resolve_metadata(entries, headings) or {}
    shown = {key: value for key, value in folded.items() if not key.startswith("_")}
    return {**shown, "file_name": source_file.name, "path": source_file.path}


def relabel(source_file: SourceFile) -> int:
    """Write the folded metadata to the chunks whose label differs.

    Returns:
        How many chunks changed; the keyword stores follow at the file's next pass through the pipeline.
    """
    entries = metadata_map_of(source_file)
    changed = []
    for chunk in Chunk.objects.filter(source_file=source_file).only("pk", "headings", "metadata"):
        label = metadata_of(source_file, entries, chunk.headings)
        if label != chunk.metadata:
            chunk.metadata = label
            chunk.changed = timezone.now()
            changed.append(chunk)
    Chunk.objects.bulk_update(changed, ["metadata", "changed"], batch_size=500)
    return len(changed)
