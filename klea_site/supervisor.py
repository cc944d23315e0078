"""Keep Klea's processes running: start them, start them again when they die, end them in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from klea_site.child import Child

_DELAYS_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
_STEADY_S = 60.0
_LOOK_S = 0.3


class Supervisor:
    """Watches some children; ends them in the order in which they are listed."""

    def __init__(
        self,
        children: Sequence[Child],
        *,
        say: Callable[[str], None],
        before_start: Callable[[Child], None] = lambda _child: None,
        after_start: Callable[[list[int]], None] = lambda _pids: None,
        delays_s: Sequence[float] = _DELAYS_S,
    ) -> None:
        """Describe what to watch.

        Args:
            children: what to run.
            say: prints a line for a person.
            before_start: is called before each start of a child.
            after_start: is called after each start with the process numbers of all that run.
            delays_s: how long to wait before the first, second, ... start in a row; the last one is repeated.
        """
        self.children = list(children)
        self._say = say
        self._before_start = before_start
        self._after_start = after_start
        self._delays_s = delays_s
        self._failures = {child.name: 0 for child in children}
        self._due: dict[str, float] = {}

    def start(self) -> None:
        """Start all."""
        for child in self.children:
            self._start(child)

    def watch(self, until: threading.Event, *, every_look: Callable[[], None] = lambda: None) -> None:
        """Start dead children again until the event is set; `every_look` is called a few times a second."""
        while not until.wait(_LOOK_S):
            every_look()
            for child in self.children:
                if not child.running:
                    self._start_again(child)

    def stop(self) -> None:
        """End all, in order."""
        for child in self.children:
            child.end()

    def _start(self, child: Child) -> None:
        self._before_start(child)
        child.start()
        self._after_start([other.process.pid for other in self.children if other.process and other.running])

    def _start_again(self, child: Child) -> None:
        if child.name not in self._due:
            child.end()
            self._plan(child, f"the {child.name} {child.ending()}")
        elif time.monotonic() >= self._due[child.name]:
            del self._due[child.name]
            try:
                self._start(child)
            except OSError as error:  # no memory or no process number is free
                self._plan(child, f"the {child.name} could not be started ({error.strerror})")

    def _plan(self, child: Child, reason: str) -> None:
        if time.monotonic() - child.began > _STEADY_S:
            self._failures[child.name] = 0
        delay_s = self._delays_s[min(self._failures[child.name], len(self._delays_s) - 1)]
        self._failures[child.name] += 1
        self._due[child.name] = time.monotonic() + delay_s
        self._say(f"{reason}; it is started again in {delay_s:g} s (log: {child.log})")
