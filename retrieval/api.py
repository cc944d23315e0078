"""The JSON API of search: search, stores, filter fields."""

from __future__ import annotations

import json
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from corpus.models import Domain, FilterField
from retrieval.core.filter_operands import check
from retrieval.core.filters import FilterError, canonical
from retrieval.models import Store
from retrieval.search import SearchRequest, SearchResponse, UnknownScope, search
from retrieval.search.scope import depth_of

router = Router(tags=["search"])
MOST_HITS = 200
LONGEST = 20_000


class SearchIn(Schema):
    """What to search, where."""

    text: str = Field(max_length=LONGEST, description="the question, standing alone")
    domains: list[str] | None = Field(None, description="slugs; left out: all that you can see")
    collections: list[int] | None = None
    source_files: list[int] | None = None
    filter: dict[str, Any] | None = Field(None, description='for example {"year": {"$gte": 2020}}; see /filter-fields')
    queries: list[str] = Field([], max_length=20, description="further queries, searched apart and fused by rank")
    keywords: str = Field("", max_length=LONGEST, description="further words for the keyword stores only")
    limit: int = Field(10, ge=1, le=MOST_HITS)
    offset: int = Field(0, ge=0, le=1_000)
    round: int = Field(0, ge=0, le=20, description="stores are searched deeper in each round")
    rerank: bool | None = Field(None, description="read the best again; left out: as the site does")
    expand: bool = Field(default=False, description="give the neighbouring passages of each hit too")
    threshold: float = Field(0.0, ge=0.0, le=1.0, description="least score")
    relax: bool = Field(default=False, description="search without the filter when nothing passes it, and say so")
    trace: bool = Field(default=False, description="tell each step")


class HitOut(Schema):
    """A passage that was found."""

    rank: int
    score: float
    chunk_id: int
    source_file_id: int
    domain: str
    file_name: str
    text: str
    headings: list[str]
    pages: list[int]
    metadata: dict[str, Any]
    ranks: dict[str, int] = Field(description="rank in each store that found it")
    beside: int | None = Field(description="the hit that this passage stands next to, if it is no hit itself")


class SearchOut(Schema):
    """What was found."""

    hits: list[HitOut]
    total: int
    notices: list[str]
    trace: dict[str, Any] | None = None


class StoreOut(Schema):
    """An index over a collection."""

    id: int
    name: str
    domain: str
    collection: int
    kind: str
    backend: str
    model: str
    dimension: int | None
    analyzer: str
    default_k: int
    k_max: int
    k_inc: int
    enabled: bool
    version: int


class FilterFieldOut(Schema):
    """A field that a filter may name."""

    domain: str
    name: str
    value_type: str
    description: str


class SearchQuery(Schema):
    """A search in an address."""

    text: str = Field(max_length=LONGEST, alias="q")
    domain: list[str] = Field([], description="slugs; none: all that you can see")
    filter: str = Field("", max_length=LONGEST, description='JSON, for example {"year": {"$gte": 2020}}')
    limit: int = Field(10, ge=1, le=MOST_HITS)
    offset: int = Field(0, ge=0, le=1_000)
    threshold: float = Field(0.0, ge=0.0, le=1.0)
    trace: bool = False


@router.post("/search", response=SearchOut, summary="Search")
def search_by_body(request: HttpRequest, payload: SearchIn) -> dict[str, Any]:
    """Search the passages of your domains by meaning and by words."""
    asked = payload.dict(exclude={"filter", "trace"})
    return _answer(request, payload.filter, asked, tell=payload.trace)


@router.get("/search", response=SearchOut, summary="Search by address")
def search_by_address(request: HttpRequest, wanted: Annotated[SearchQuery, Query()]) -> dict[str, Any]:
    """Search the passages of your domains by meaning and by words."""
    asked = wanted.dict(exclude={"filter", "trace", "domain"})
    return _answer(
        request, _as_object(wanted.filter), {**asked, "domains": wanted.domain or None, "relax": False}, tell=wanted.trace
    )


@router.get("/stores", response=list[StoreOut], summary="Stores")
def stores(request: HttpRequest) -> list[dict[str, Any]]:
    """List the stores of your domains."""
    rows = Store.objects.visible_to(request.user).select_related("collection__domain").order_by("pk")
    return [
        {
            **{
                name: getattr(row, name)
                for name in ("name", "kind", "backend", "model", "dimension", "analyzer", "enabled", "version")
            },
            "id": row.pk,
            "domain": row.collection.domain.slug,
            "collection": row.collection_id,
            "default_k": depth_of(row).default_k,
            "k_max": depth_of(row).k_max,
            "k_inc": depth_of(row).k_inc,
        }
        for row in rows
    ]


@router.get("/filter-fields", response=list[FilterFieldOut], summary="Filter fields")
def filter_fields(request: HttpRequest) -> list[dict[str, Any]]:
    """List the fields that filters may name in your domains."""
    return [
        {"domain": field.domain.slug, "name": field.name, "value_type": field.value_type, "description": field.description}
        for field in FilterField.objects.visible_to(request.user).select_related("domain")
    ]


def _answer(request: HttpRequest, stated: dict[str, Any] | None, asked: dict[str, Any], *, tell: bool) -> dict[str, Any]:
    where = None
    if stated:
        where = canonical(stated)
        check(where, _declared(request, asked.get("domains")))
    lists = {name: tuple(value) for name, value in asked.items() if isinstance(value, list)}
    response = search(SearchRequest(user=request.user, where=where, **{**asked, **lists}))
    return {**_as_shown(response), "trace": response.trace if tell else None}


def _declared(request: HttpRequest, domains: list[str] | None) -> dict[str, str]:
    fields = FilterField.objects.visible_to(request.user)
    if domains is not None:
        seen = set(Domain.objects.visible_to(request.user).filter(slug__in=domains).values_list("slug", flat=True))
        if unknown := set(domains) - seen:
            raise UnknownScope(f"There is no domain {', '.join(sorted(unknown))}.")
        fields = fields.filter(domain__slug__in=domains)
    return dict(fields.values_list("name", "value_type"))


def _as_shown(response: SearchResponse) -> dict[str, Any]:
    return {"hits": [vars(hit) for hit in response.hits], "total": response.total, "notices": list(response.notices)}


def _as_object(told: str) -> dict[str, Any] | None:
    if not told.strip():
        return None
    try:
        found = json.loads(told)
    except ValueError as error:
        raise FilterError(f"The filter is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise FilterError("The filter must be a JSON object.")
    return found
