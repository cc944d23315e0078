"""Read the chunks that were found, as far as they still exist, may be found and may be seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corpus.models import Chunk
from corpus.models.visibility import type_of_user


@dataclass(frozen=True, slots=True)
class Loaded:
    """A chunk's row, as search needs it."""

    chunk_id: int
    source_file_id: int
    ordinal: int
    collection_id: int
    domain_id: int
    domain: str
    path: str
    text: str
    headings: tuple[str, ...]
    pages: tuple[int, ...]
    metadata: dict[str, Any]


_FIELDS = (
    "pk",
    "source_file_id",
    "ordinal",
    "source_file__collection_id",
    "source_file__collection__domain_id",
    "source_file__collection__domain__slug",
    "source_file__path",
    "text",
    "headings",
    "pages",
    "metadata",
)


def places(user: type_of_user, chunk_ids: Iterable[int]) -> dict[int, int]:
    """Return the collection of each chunk that exists, may be found and may be seen; the rest is not among them."""
    rows = Chunk.objects.visible_to(user).findable().filter(pk__in=list(chunk_ids)).order_by()
    return dict(rows.values_list("pk", "source_file__collection_id"))


def load(user: type_of_user, chunk_ids: Iterable[int]) -> dict[int, Loaded]:
    """Return the rows by chunk; what is deleted, switched off or hidden from the user is not among them."""
    rows = Chunk.objects.visible_to(user).findable().filter(pk__in=list(chunk_ids)).order_by().values_list(*_FIELDS)
    return {row[0]: _loaded(row) for row in rows}


def load_neighbours(user: type_of_user, around: Iterable[Loaded], *, reach: int) -> dict[int, list[Loaded]]:
    """Return for each chunk those that stand next to it in the same section of its file, in the order of the file."""
    found: dict[int, list[Loaded]] = {}
    for one in around:
        rows = (
            Chunk.objects.visible_to(user)
            .findable()
            .filter(source_file_id=one.source_file_id, ordinal__gte=one.ordinal - reach, ordinal__lte=one.ordinal + reach)
            .exclude(pk=one.chunk_id)
            .order_by("ordinal")
            .values_list(*_FIELDS)
        )
        loaded = (_loaded(row) for row in rows)
        found[one.chunk_id] = [other for other in loaded if other.headings == one.headings]
    return found


def _loaded(row: tuple[Any, ...]) -> Loaded:
    chunk_id, source_file_id, ordinal, collection_id, domain_id, domain, path, text, headings, pages, metadata = row
    return Loaded(
        chunk_id=chunk_id,
        source_file_id=source_file_id,
        ordinal=ordinal,
        collection_id=collection_id,
        domain_id=domain_id,
        domain=domain,
        path=path,
        text=text,
        headings=tuple(headings),
        pages=tuple(pages),
        metadata=dict(metadata),
    )
