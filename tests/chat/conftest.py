from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from chat import runs
from tests.chat.library import library  # noqa: F401
from tests.chat.model_on_the_wire import model  # noqa: F401


@pytest.fixture
async def quiet_end(transactional_db: None) -> AsyncIterator[None]:
    """End what still runs, and close the connection of the requests' thread, before the database is emptied."""
    yield
    await runs.end_all()
    await sync_to_async(connections.close_all)()
