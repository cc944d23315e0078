"""Keys for programs: made, checked, revoked. Only the hash of a key is kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q
from django.http import Http404
from django.utils import timezone

from chat.asking import AskError, known_domains
from chat.models import ApiKey
from corpus.models.visibility import scope_of, type_of_user

START = "klea_"
SHOWN = 12
LONGEST_LIFE = timedelta(days=366)


def create_key(
    user: type_of_user, *, name: str, domains: Sequence[str] = (), expires: datetime | None = None
) -> tuple[ApiKey, str]:
    """Make a key for `user` and return it with its secret, which is never shown again.

    Args:
        user: the owner, whose present rights the key has.
        name: for people.
        domains: slugs that the key is limited to; empty for all that the owner may see.
        expires: not later than in a year; that is the default.

    Raises:
        AskError: no name, an unknown domain, a wrong date, or a key that wants to make a further one.
    """
    if scope_of(user) is not None:
        raise AskError("A key that is limited to domains can't make keys.", advice="Make keys in the browser.", status=403)
    if not name.strip():
        raise AskError("The key has no name.", advice="Give it a name that says which program uses it.", status=422)
    latest = timezone.now() + LONGEST_LIFE
    if expires is not None and not timezone.now() < expires <= latest:
        raise AskError(
            "The key would expire in the past or in more than a year.",
            advice=f"Choose a time before {latest:%Y-%m-%d}.",
            status=422,
        )
    chosen = known_domains(user, domains)
    secret = START + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        owner_id=user.pk or 0, name=name.strip()[:80], prefix=secret[:SHOWN], hash=hash_of(secret), expires=expires or latest
    )
    key.domains.set(chosen)
    return key, secret


def revoke_key(user: type_of_user, key_id: int) -> ApiKey:
    """End a key at once.

    Raises:
        Http404: the user has no such key.
    """
    key = ApiKey.objects.visible_to(user).filter(pk=key_id).first()
    if key is None:
        raise Http404("There is no such key.")
    if key.revoked is None:
        key.revoked = timezone.now()
        key.save(update_fields=["revoked"])
    return key


def user_of(secret: str) -> AbstractBaseUser | None:
    """Return the owner of a key that is valid now, limited to the key's domains; None for any other text."""
    now = timezone.now()
    alive = ApiKey.objects.filter(Q(expires__isnull=True) | Q(expires__gt=now), revoked__isnull=True, owner__is_active=True)
    key = alive.select_related("owner").filter(hash=hash_of(secret)).first() if secret.startswith(START) else None
    if key is None:
        return None
    if key.last_used is None or now - key.last_used > timedelta(minutes=1):
        ApiKey.objects.filter(pk=key.pk).update(last_used=now)
    owner = key.owner
    scope = frozenset(key.domains.values_list("pk", flat=True))
    if scope:
        owner.domain_scope = scope  # type: ignore[attr-defined]
    return owner


def hash_of(secret: str) -> str:
    """Return the SHA-256 of a key; a key has 256 random bits, so no slow hash is needed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
