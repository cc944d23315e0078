"""Build what a setting names: the one place where a dotted path of an operator becomes an object."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string


def from_settings(name: str, alias: str | None = None) -> Any:
    """Return the object that setting `name` describes, made once a process.

    Args:
        name: a setting of the form ``{"BACKEND": dotted path, "OPTIONS": {…}}``, or a mapping of aliases to such.
        alias: which entry of a mapping of aliases.

    Raises:
        ImproperlyConfigured: there is no such setting, alias or class; the message says which names there are.
    """
    return _built(name, alias)


def forget() -> None:
    """Drop what was built, so that changed settings take effect (for tests and reloads)."""
    _built.cache_clear()


@cache
def _built(name: str, alias: str | None) -> Any:
    entry = getattr(settings, name, None)
    if alias is not None and isinstance(entry, dict):
        if alias not in entry:
            known = ", ".join(sorted(entry)) or "none"
            raise ImproperlyConfigured(f"{name} has no entry '{alias}'. Entries: {known}.")
        entry = entry[alias]
    if not isinstance(entry, dict) or "BACKEND" not in entry:
        raise ImproperlyConfigured(f"Setting {name} must be a dictionary with BACKEND and OPTIONS.")
    try:
        backend = import_string(entry["BACKEND"])
    except ImportError as error:
        raise ImproperlyConfigured(f"{name}: cannot import {entry['BACKEND']} ({error}).") from error
    return backend(**entry.get("OPTIONS", {}))
