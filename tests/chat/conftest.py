from __future__ import annotations

pytest_plugins: list[str] = []

from tests.chat.library import library  # noqa: E402, F401
