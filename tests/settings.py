"""Settings of the tests: an own data folder, null implementations, nothing slow."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("KLEA_VAR", str(Path(__file__).resolve().parent.parent / "var" / "test"))
os.environ.setdefault("KLEA_SECRET_KEY", "only-for-tests")

from klea_site.settings import *  # noqa: F403
from klea_site.settings import DATABASES, VAR

DATABASES["default"]["OPTIONS"].pop("pool", None)  # a test's connection is its transaction
DATABASES["default"]["TEST"] = {"NAME": f"test_klea_{os.getpid()}"}  # two test runs do not meet
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMBEDDER = "hashing"
SEARCH_THREADS = 1  # other threads do not see the transaction of a test
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
(VAR / "static").mkdir(parents=True, exist_ok=True)
