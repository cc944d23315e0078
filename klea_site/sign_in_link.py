"""One-time sign-in links: signed, valid for a while, for one use, and void once the password has changed."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final

from django.contrib.auth.models import User
from django.core import signing
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from klea_site.models import UsedSignInLink

VALID_FOR: Final = timedelta(hours=1)
_SALT: Final = "klea.sign-in-link"


class SignInLinkError(Exception):
    """A link lets nobody in."""

    reason: ClassVar[str] = "invalid"
    retryable = False
    advice = "Ask for another link, or make one: manage.py sign_in_link NAME."


class LinkInvalidError(SignInLinkError):
    """The link was not made here, is cut off, or its account is closed or has another password now."""


class LinkExpiredError(SignInLinkError):
    """The link is too old."""

    reason = "expired"


class LinkUsedError(SignInLinkError):
    """The link has let somebody in already."""

    reason = "used"


def make_link(user: User, *, site: str, valid_for: timedelta = VALID_FOR) -> str:
    """Return the whole address of a new link.

    Args:
        user: whom it lets in.
        site: the site's address, such as http://127.0.0.1:8000.
        valid_for: how long it can be used.
    """
    until = int((timezone.now() + valid_for).timestamp())
    token = signing.dumps([user.pk, until, _mark(user), secrets.token_urlsafe(18)], salt=_SALT)
    return site.rstrip("/") + reverse("sign-in-link", args=[token])


def redeem(token: str) -> User:
    """Use a link up and return whom it lets in.

    Raises:
        SignInLinkError: it lets nobody in; the class says why. A link that was used raises `LinkUsedError`
            however often and however fast it is tried.
    """
    try:
        user_id, until, mark, _ = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise LinkInvalidError from error
    expires_at = datetime.fromtimestamp(until, tz=UTC)
    if expires_at < timezone.now():
        raise LinkExpiredError
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not constant_time_compare(mark, _mark(user)):
        raise LinkInvalidError
    UsedSignInLink.objects.filter(expires_at__lt=timezone.now()).delete()
    try:
        with transaction.atomic():
            UsedSignInLink.objects.create(digest=hashlib.sha256(token.encode()).hexdigest(), expires_at=expires_at)
    except IntegrityError as error:
        raise LinkUsedError from error
    return user


def _mark(user: User) -> str:
    """Return a short mark of the user's present password, from which it can't be told."""
    return user.get_session_auth_hash()[:16]
