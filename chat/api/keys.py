"""API keys and models."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from chat import api_keys
from chat.api.schemas import ErrorOut, KeyIn, KeyOut, MadeKeyOut, ModelsOut
from chat.model_choice import allowed_choices, assignments_for
from chat.models import ApiKey, ModelAssignment

router = Router()


@router.get("/keys", response=list[KeyOut])
def list_keys(request: HttpRequest) -> list[dict[str, Any]]:
    """List your keys, without their secrets."""
    return [_as_dict(key) for key in ApiKey.objects.visible_to(request.user).prefetch_related("domains")]


@router.post("/keys", response={201: MadeKeyOut, 403: ErrorOut, 404: ErrorOut, 422: ErrorOut})
def make_key(request: HttpRequest, payload: KeyIn) -> Status[dict[str, Any]]:
    """Make a key. Its secret is in this answer and nowhere else."""
    key, secret = api_keys.create_key(request.user, name=payload.name, domains=payload.domains, expires=payload.expires)
    return Status(201, {**_as_dict(key), "secret": secret})


@router.delete("/keys/{int:key_id}", response={200: KeyOut, 404: ErrorOut})
def end_key(request: HttpRequest, key_id: int) -> dict[str, Any]:
    """Revoke a key; it is refused from the next request on."""
    return _as_dict(api_keys.revoke_key(request.user, key_id))


@router.get("/models", response=ModelsOut)
def models(request: HttpRequest) -> dict[str, Any]:
    """Say which model does which role on this site, and which a session may choose."""
    site = assignments_for([], {})
    assigned = {role: {"provider": found.provider, "model": found.model} for role, found in site.items()}
    return {"assigned": assigned, "allowed": list(allowed_choices()), "roles": ModelAssignment.Role.values}


def _as_dict(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.pk,
        "name": key.name,
        "prefix": key.prefix,
        "domains": [domain.slug for domain in key.domains.all()],
        "expires": key.expires,
        "revoked": key.revoked,
        "last_used": key.last_used,
    }
