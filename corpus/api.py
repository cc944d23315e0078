"""The JSON API of the library: domains, collections, source files, chunks."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import File, Form, Query, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from corpus import ingestion
from corpus.access import require, role_of
from corpus.listing import Wanted, counts_by_state, files_for, rows_of, searchable_share
from corpus.models import Chunk, Collection, Domain, Role, SourceFile, StageAttempt, State
from corpus.passage_check import check_passages
from corpus.upload import take_in_address, take_in_uploaded

router = Router(tags=["library"])
LONGEST = 200


class DomainOut(Schema):
    """A domain that you are a member of."""

    id: int
    slug: str
    name: str
    description: str
    role: str = Field(description="reader, curator or manager")
    files: dict[str, int] = Field(description="number of files by state")


class CollectionOut(Schema):
    """A collection and how it is converted."""

    id: int
    slug: str
    name: str
    domain: str
    description: str
    ocr: str
    layout: str
    max_tokens: int
    review_required: bool
    searchable: float = Field(description="share of its files that a question can find, 0 to 1")


class FilesOut(Schema):
    """A page of source files."""

    files: list[dict[str, Any]]
    count: int
    states: dict[str, int]


class AttemptOut(Schema):
    """One try of one stage."""

    stage: str
    outcome: str
    started: datetime
    took_ms: int | None
    peak_bytes: int | None
    detail: dict[str, Any]


class FileOut(Schema):
    """A source file with its pages and attempts."""

    file: dict[str, Any]
    pages: list[dict[str, Any]]
    attempts: list[AttemptOut]
    metadata: dict[str, dict[str, Any]] = Field(description="by heading chain; DEFAULT is the file's own")


class ChunkOut(Schema):
    """A chunk with the places of its words."""

    id: int
    ordinal: int
    text: str
    headings: list[str]
    kind: str
    pages: list[int]
    spans: list[dict[str, Any]]
    token_count: int
    metadata: dict[str, Any]
    enabled: bool


class ChunksOut(Schema):
    """A page of chunks."""

    chunks: list[ChunkOut]
    count: int


class TakenInOut(Schema):
    """What became of each uploaded file."""

    files: list[dict[str, Any]]


class FetchIn(Schema):
    """What to fetch, and where it goes."""

    collection: int
    url: str = Field(max_length=2000)


class RetryIn(Schema):
    """How to try again."""

    password: str = Field("", max_length=500, description="opens a protected file; kept only for the conversion")
    ocr: str = Field("", pattern="^(|auto|always|never)$", description="which pages are read by OCR from now on")


class CountOut(Schema):
    """How many files the request changed."""

    count: int


class FilesQuery(Schema):
    """Which files."""

    domain: str = Field("", max_length=80, description="a domain's slug")
    collection: int | None = None
    state: list[State] = Field([], description="any of these")
    text: str = Field("", max_length=LONGEST, description="part of the path")
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0, le=10_000_000)


@router.get("/domains", response=list[DomainOut], summary="Your domains")
def domains(request: HttpRequest) -> list[dict[str, Any]]:
    """List the domains that you are a member of."""
    return [
        {
            "id": domain.pk,
            "slug": domain.slug,
            "name": domain.name,
            "description": domain.description,
            "role": Role(role_of(request.user, domain)).name.lower(),
            "files": counts_by_state(files_for(request.user, Wanted(domain=domain.pk))),
        }
        for domain in Domain.objects.visible_to(request.user)
    ]


@router.get("/collections", response=list[CollectionOut], summary="Collections")
def collections(request: HttpRequest, domain: Annotated[str, Query(max_length=80)] = "") -> list[dict[str, Any]]:
    """List the collections of your domains, or of one of them."""
    found = Collection.objects.visible_to(request.user).select_related("domain")
    if domain:
        found = found.filter(domain=get_object_or_404(Domain.objects.visible_to(request.user), slug=domain))
    return [
        {
            "id": one.pk,
            "slug": one.slug,
            "name": one.name,
            "domain": one.domain.slug,
            "description": one.description,
            "ocr": one.ocr,
            "layout": one.layout,
            "max_tokens": one.max_tokens,
            "review_required": one.review_required,
            "searchable": searchable_share(one),
        }
        for one in found
    ]


@router.get("/collections/{int:collection_id}/lint", response=dict[str, Any], summary="Check the passages")
def lint(request: HttpRequest, collection_id: int, samples: Annotated[int, Query(ge=0, le=20)] = 3) -> dict[str, Any]:
    """Check the passages of a collection by five rules, with samples of neighbouring ones at evenly spaced places."""
    collection = get_object_or_404(Collection.objects.visible_to(request.user), pk=collection_id)
    return check_passages(SourceFile.objects.held().filter(collection=collection), samples=samples).as_dict()


@router.get("/files", response=FilesOut, summary="Source files")
def files(request: HttpRequest, asked: Query[FilesQuery]) -> dict[str, Any]:
    """List source files with their states, and what to do where something is to be done."""
    domain = get_object_or_404(Domain.objects.visible_to(request.user), slug=asked.domain).pk if asked.domain else None
    wanted = Wanted(domain, asked.collection, tuple(state.value for state in asked.state), asked.text.replace("\x00", ""))
    found = files_for(request.user, wanted)
    page = found.select_related("collection__domain").order_by("pk")[asked.offset : asked.offset + asked.limit]
    return {"files": rows_of(list(page), request.user), "count": found.count(), "states": counts_by_state(found)}


@router.post("/files", response=TakenInOut, summary="Upload")
def upload(
    request: HttpRequest,
    collection: Form[int],
    file: File[list[UploadedFile]],
    path: Form[str] = "",
) -> dict[str, Any]:
    """Upload files to a collection (you must be a curator). A ZIP archive is unpacked. `path` names a single file's place.

    Each file is told as new, changed, same, refused (with the reason) or ignored. The work goes on in the background.
    """
    target = get_object_or_404(Collection.objects.visible_to(request.user).select_related("domain"), pk=collection)
    require(request.user, target.domain, Role.CURATOR)
    outcomes = []
    for one in file:
        outcomes += take_in_uploaded(target, one, path=path if len(file) == 1 else "", by=_actor(request))
    return {"files": [asdict(outcome) for outcome in outcomes]}


@router.post("/files/fetch", response=TakenInOut, summary="Fetch from the web")
def fetch(request: HttpRequest, asked: FetchIn) -> dict[str, Any]:
    """Take in a file from a public address on the web, where the operator has switched this on (KLEA_URL_IMPORT)."""
    target = get_object_or_404(Collection.objects.visible_to(request.user).select_related("domain"), pk=asked.collection)
    return {"files": [asdict(outcome) for outcome in take_in_address(target, asked.url, by=_actor(request))]}


@router.get("/files/{int:file_id}", response=FileOut, summary="One source file")
def file(request: HttpRequest, file_id: int) -> dict[str, Any]:
    """Return a file's state, pages, attempts and metadata."""
    found = _file(request, file_id)
    attempts = StageAttempt.objects.filter(source_file=found)
    return {
        "file": rows_of([found], request.user)[0],
        "pages": found.pages,
        "attempts": list(attempts[:100]),
        "metadata": {entry.heading: _shown(entry.values) for entry in found.metadata_entries.all()},
    }


@router.get("/files/{int:file_id}/chunks", response=ChunksOut, summary="Chunks of a file")
def chunks(
    request: HttpRequest,
    file_id: int,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> dict[str, Any]:
    """Return the chunks of a file in order."""
    found = Chunk.objects.visible_to(request.user).filter(source_file=_file(request, file_id)).order_by("ordinal")
    return {"chunks": list(found[offset : offset + limit]), "count": found.count()}


@router.post("/files/{int:file_id}/retry", response=CountOut, summary="Try again")
def retry(request: HttpRequest, file_id: int, how: RetryIn) -> dict[str, int]:
    """Try a file again that failed, waits, was cancelled or is incomplete."""
    return {"count": ingestion.retry(_one(request, file_id), by=_actor(request), password=how.password, ocr=how.ocr)}


@router.post("/files/{int:file_id}/cancel", response=CountOut, summary="Stop the work")
def cancel(request: HttpRequest, file_id: int) -> dict[str, int]:
    """Stop the work on a file; what was done stays."""
    return {"count": ingestion.cancel(_one(request, file_id), by=_actor(request))}


@router.delete("/files/{int:file_id}", response=CountOut, summary="Remove a file")
def remove(request: HttpRequest, file_id: int) -> dict[str, int]:
    """Remove a file from the library, every store and the disk, at once."""
    return {"count": ingestion.remove(_one(request, file_id), by=_actor(request))}


def _file(request: HttpRequest, pk: int) -> SourceFile:
    visible = SourceFile.objects.held().visible_to(request.user).select_related("collection__domain")
    found: SourceFile = get_object_or_404(visible, pk=pk)
    return found


def _one(request: HttpRequest, pk: int) -> Any:
    """Return the file as a queryset of one, for the verbs; 404 if it can't be seen."""
    return SourceFile.objects.filter(pk=_file(request, pk).pk)


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if not key.startswith("_")}


def _actor(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- the API lets in nobody else
    return request.user
