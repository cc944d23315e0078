"""One object for each event loop: what holds connections can't be shared between loops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class LoopLocal(Generic[T]):
    """Makes an object when a loop first asks for it, and drops it with the loop."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def get(self) -> T:
        """Return the object of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._made:
            self._made[loop] = self._make()
        return self._made[loop]

    def take(self) -> T | None:
        """Return the object of the running loop and forget it; None if it was never asked for."""
        return self._made.pop(asyncio.get_running_loop(), None)
