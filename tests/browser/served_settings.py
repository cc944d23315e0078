"""Settings of the site that browser tests look at: the tests' own, with the files of the test that runs."""

from __future__ import annotations

import os

from tests.settings import *  # noqa: F403

MEDIA_ROOT = os.environ["KLEA_SERVED_FILES"]
