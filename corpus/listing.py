"""What lists and pages show of source files: the same facts for the library page, the file's page and the API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q
from django.utils import timezone

from corpus.access import domains_with_role
from corpus.ingestion import ACTIVE
from corpus.models import Chunk, Collection, Outcome, Role, SourceFile, StageAttempt, State
from corpus.models.source_file import SourceFileQuerySet

PER_PAGE: Final = 50
MOST_PER_PAGE: Final = 200
STAGES: Final = {
    "fingerprint": "Checking the file",
    "precheck": "Looking at the pages",
    "convert": "Converting",
    "describe": "Reading title and authors",
    "lint": "Checking the metadata",
    "review_gate": "Waiting for review",
    "chunk": "Cutting into passages",
    "embed": "Embedding the passages",
    "index_keywords": "Indexing the words",
    "probe": "Checking that it is found",
}


@dataclass(frozen=True)
class Wanted:
    """Which files a list shows.

    Attributes:
        domain, collection: ids; None: any.
        states: any of these; none: all but removed.
        text: part of the path.
    """

    domain: int | None = None
    collection: int | None = None
    states: tuple[str, ...] = ()
    text: str = ""


def files_for(user: User | AnonymousUser, wanted: Wanted) -> SourceFileQuerySet:
    """Return the files that `user` may see and a list wants."""
    files = SourceFile.objects.held().visible_to(user)
    if wanted.domain is not None:
        files = files.filter(collection__domain=wanted.domain)
    if wanted.collection is not None:
        files = files.filter(collection=wanted.collection)
    if wanted.states:
        files = files.filter(state__in=wanted.states)
    return files.filter(path__icontains=wanted.text) if wanted.text else files


def counts_by_state(files: SourceFileQuerySet) -> dict[str, int]:
    """Return the number of files in each state that occurs, in the order of the states."""
    found = dict(files.order_by().values_list("state").annotate(Count("pk")))
    return {state.value: found[state.value] for state in State if state.value in found}


def rows_of(files: Sequence[SourceFile], user: User | AnonymousUser) -> list[dict[str, Any]]:
    """Return what a list shows of some files."""
    ids = [file.pk for file in files]
    passages = dict(
        Chunk.objects.filter(source_file__in=ids, enabled=True).order_by().values_list("source_file").annotate(Count("pk"))
    )
    running = {
        attempt.source_file_id: attempt for attempt in StageAttempt.objects.filter(source_file__in=ids, outcome=Outcome.RUNNING)
    }
    curated = set(domains_with_role(user, Role.CURATOR).values_list("pk", flat=True))
    return [
        row_of(file, passages=passages.get(file.pk, 0), running=running.get(file.pk)) | {"can_change": _domain(file) in curated}
        for file in files
    ]


def row_of(file: SourceFile, *, passages: int, running: StageAttempt | None = None) -> dict[str, Any]:
    """Return what a list shows of one file."""
    detail = file.state_detail if isinstance(file.state_detail, dict) else {}
    return {
        "id": file.pk,
        "path": file.path,
        "name": file.name,
        "collection": {"id": file.collection_id, "name": file.collection.name},
        "domain": {"id": _domain(file), "slug": file.collection.domain.slug, "name": file.collection.domain.name},
        "media_type": file.media_type,
        "size": file.size,
        "state": file.state,
        "state_label": State(file.state).label,
        "stage": file.stage if file.state in ACTIVE else "",
        "stage_label": STAGES.get(file.stage, file.stage) if running else "",
        "cancelling": file.cancel_requested and file.state in ACTIVE,
        "pages": file.page_count,
        "pages_done": file.pages_done,
        "seconds_left": _seconds_left(file, running),
        "passages": passages,
        "cause": str(detail.get("cause", "")),
        "advice": str(detail.get("advice", "")),
        "missing": detail.get("missing", {}),
        "added": file.created.isoformat(),
        "updated": file.updated.isoformat(),
    }


def collections_for(user: User | AnonymousUser, role: Role) -> Iterable[Collection]:
    """Return the collections of domains in which `user` has at least `role`."""
    found = Collection.objects.filter(domain__in=domains_with_role(user, role))
    return found.select_related("domain").order_by("domain__name", "name")


def searchable_share(collection: Collection) -> float:
    """Return which share of the collection's files can be found by a question, from 0 to 1; PARTIAL ones count half."""
    counts = (
        SourceFile.objects.held()
        .filter(collection=collection)
        .aggregate(
            all=Count("pk"), ready=Count("pk", filter=Q(state=State.READY)), partial=Count("pk", filter=Q(state=State.PARTIAL))
        )
    )
    return (counts["ready"] + counts["partial"] / 2) / counts["all"] if counts["all"] else 0.0


def _domain(file: SourceFile) -> int:
    return int(file.collection.domain_id)


def _seconds_left(file: SourceFile, running: StageAttempt | None) -> int | None:
    """Estimate from the pages that are done, while a file is converted."""
    if running is None or running.stage != "convert" or not file.pages_done or not file.page_count:
        return None
    spent = (timezone.now() - running.started).total_seconds()
    return max(1, round(spent / file.pages_done * (file.page_count - file.pages_done)))
