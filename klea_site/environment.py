"""Typed readers of environment variables; a bad value stops the start with a sentence."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str) -> str:
    """Read a text; `NAME_FILE` may name a file that holds it, as container secrets do."""
    if held_in := os.environ.get(f"{name}_FILE"):
        try:
            return Path(held_in).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {held_in}, which can't be read ({error.strerror}).") from error
    return os.environ.get(name, default).strip()


def flag(name: str, *, default: bool) -> bool:
    """Read a yes or no."""
    value = os.environ.get(name, "").strip().lower()
    if value == "":
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name}={value} is neither yes nor no. Use 1 or 0.")


def number(name: str, default: int, *, least: int = 0) -> int:
    """Read a whole number that is at least `least`."""
    value = os.environ.get(name, "").strip()
    if value == "":
        return default
    try:
        found = int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}={value} is not a whole number.") from error
    if found < least:
        raise ImproperlyConfigured(f"{name}={found} is too small. The least is {least}.")
    return found


def listed(name: str, default: list[str]) -> list[str]:
    """Read a list, separated by commas."""
    value = os.environ.get(name, "").strip()
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


def chosen(name: str, known: list[str]) -> list[str]:
    """Read a list whose parts must be among `known`; all of them when it isn't set, none when it is ``none``."""
    parts = listed(name, known)
    if parts == ["none"]:
        return []
    if unknown := [part for part in parts if part not in known]:
        raise ImproperlyConfigured(
            f"{name} names {', '.join(unknown)}, which Klea doesn't know. Known: {', '.join(known)}, none."
        )
    return parts


def secret_key(var: Path) -> str:
    """Read the secret key from KLEA_SECRET_KEY or `var`/secret_key, which is made at the first start."""
    if given := text("KLEA_SECRET_KEY", ""):
        return given
    held = var / "secret_key"
    try:
        return held.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return _new_secret_key(held)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {var} can't be read ({error.strerror}). "
            "Start Klea as the user (or root) who started it first, or choose another folder with VAR=… (or KLEA_VAR)."
        ) from error


def _new_secret_key(held: Path) -> str:
    made = secrets.token_urlsafe(48)
    try:
        held.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(held, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return held.read_text(encoding="ascii").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {held.parent} can't be written ({error.strerror}). Choose another with VAR=… (or KLEA_VAR)."
        ) from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(made)
    return made


def database(url: str) -> dict[str, Any]:
    """Turn a postgresql:// address into Django's dictionary, with a connection pool.

    Raises:
        ImproperlyConfigured: the address is of another database or can't be read.
    """
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured("DATABASE_URL must start with postgresql://. Klea needs PostgreSQL 15+ with pgvector 0.8+.")
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError as error:
        raise ImproperlyConfigured(f"DATABASE_URL can't be read: {error}") from error
    fields = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    entry: dict[str, Any] = {target: str(parts.pop(source, "") or "") for source, target in fields.items()}
    pool = {"min_size": 1, "max_size": number("KLEA_DATABASE_POOL", 12, least=2), "timeout": 20}
    entry |= {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {**parts, "pool": pool}}
    return entry
