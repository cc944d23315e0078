"""A password on its way to the conversion: encrypted in the row, deleted when the conversion has ended."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from corpus.models import SourceFile


def seal(password: str) -> str:
    """Encrypt a password with a key that follows from the site's secret key."""
    return _cipher().encrypt(password.encode()).decode("ascii") if password else ""


def unseal(source_file: SourceFile) -> dict[str, str]:
    """Return the secrets of the next conversion; none if there is no password or the site's key was changed since."""
    if not source_file.sealed:
        return {}
    try:
        return {"password": _cipher().decrypt(source_file.sealed.encode("ascii")).decode()}
    except InvalidToken:
        return {}


def _cipher() -> Fernet:
    digest = hashlib.sha256(b"klea.password-for-conversion:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
