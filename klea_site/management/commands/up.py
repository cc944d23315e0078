from __future__ import annotations

import contextlib
import http.client
import os
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser, SystemCheckError
from django.db import DatabaseError

from klea_site import embedded_postgres, first_start
from klea_site.child import Child
from klea_site.database_session import database_session
from klea_site.embedded_postgres import EmbeddedPostgresError
from klea_site.instance import StartError, end_leftovers, free_port, only_instance, record_children
from klea_site.open_connections import close_connections
from klea_site.sign_in_link import make_link
from klea_site.supervisor import Supervisor

READY_TIMEOUT_S = 90
_DATABASE_LOOK_S = 2.0


class Command(BaseCommand):
    """Start everything and keep it running until Ctrl-C."""

    help = "Start the database, the worker and the web server; print the address and a sign-in link; stop all with Ctrl-C."
    requires_system_checks = []  # the database is not up yet; they are run once it is

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address and whether a browser is opened."""
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="the port; 0 takes a free one (%(default)s)")
        parser.add_argument("--open", type=int, choices=(0, 1), default=1, help="open the browser where there is one")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Start, watch, stop."""
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # as nohup leaves it
                signal.signal(number, lambda *_: stop.set())
        try:
            self._run(options["host"], options["port"], stop, browser=bool(options["open"]))
        except (StartError, EmbeddedPostgresError, SystemCheckError) as error:
            self.stderr.write(f"klea: {error}")
            sys.exit(1)

    def _run(self, host: str, port: int, stop: threading.Event, *, browser: bool) -> None:
        var = settings.VAR
        shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- a person can't open these
        with only_instance(var, address=f"http://{_bracketed(shown)}:{port}"):
            if ended := end_leftovers(var):
                self._say(f"ended {ended} process{'es' if ended > 1 else ''} that an earlier start left behind")
            port = free_port(host, port)
            site = f"http://{_bracketed(shown)}:{port}"
            supervisor = Supervisor(
                _children(host, port), say=self._say, before_start=_before_start, after_start=partial(record_children, var)
            )
            with database_session(), self._stopping(supervisor, stop):
                self._prepare()
                supervisor.start()
                self._wait_until_healthy(supervisor, shown, port, stop)
                first_start.wait_for_demo(self._say, stop)
                if not stop.is_set():
                    self._announce(site, browser=browser)
                supervisor.watch(stop, every_look=_database_watch(self._say))

    @contextlib.contextmanager
    def _stopping(self, supervisor: Supervisor, stop: threading.Event) -> Iterator[None]:
        try:
            yield
        finally:
            if stop.is_set():
                self._say("stopping")
            supervisor.stop()
            close_connections()

    def _prepare(self) -> None:
        self.check()
        first_start.migrate(self._say)
        first_start.collect_static(self._say)
        first_start.administrator()
        first_start.seed_demo(self._say)

    def _wait_until_healthy(self, supervisor: Supervisor, host: str, port: int, stop: threading.Event) -> None:
        give_up = time.monotonic() + READY_TIMEOUT_S
        while not stop.is_set() and not _answers(host, port):
            for child in supervisor.children:
                if not child.running:
                    child.end()
                    said = "\n".join(child.last_lines)
                    raise StartError(f"the {child.name} {child.ending()}. It said:\n{said}\nAll of it is in {child.log}.")
            if time.monotonic() > give_up:
                raise StartError(f"The web server does not answer after {READY_TIMEOUT_S} s. Read {settings.VAR / 'log'}.")
            stop.wait(0.1)

    def _announce(self, site: str, *, browser: bool) -> None:
        link = make_link(first_start.administrator(), site=site)
        close_connections()
        self.stdout.write(f"ready: {site}/")
        self.stdout.write(f"sign-in: {link}")
        self.stdout.flush()
        self._say("Ctrl-C stops it; the link signs you in once, within the hour")
        if browser and (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(link)

    def _say(self, text: str) -> None:
        self.stdout.write(f"klea: {text}")
        self.stdout.flush()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _children(host: str, port: int) -> list[Child]:
    manage, logs = str(settings.BASE_DIR / "manage.py"), settings.VAR / "log"
    web = [sys.executable, "-m", "daphne", "-v", "0", "-b", host, "-p", str(port), "klea_site.asgi:application"]
    return [
        Child("web server", web, log=logs / "web.log", grace_s=5),
        Child("worker", [sys.executable, manage, "qcluster"], log=logs / "worker.log", grace_s=10),
    ]


def _before_start(child: Child) -> None:
    if child.name != "worker" or settings.DATABASE_URL:
        return
    with contextlib.suppress(DatabaseError):  # the database may be down just now; the next start of the worker tries again
        first_start.free_interrupted_tasks()
    close_connections()


def _database_watch(say: Callable[[str], None]) -> Callable[[], None]:
    """Return a function that starts the embedded database again when it is gone."""
    due = time.monotonic()

    def look() -> None:
        nonlocal due
        if settings.DATABASE_URL or time.monotonic() < due:
            return
        due = time.monotonic() + _DATABASE_LOOK_S
        if not embedded_postgres.is_running(settings.VAR):
            say("the database ended; starting it again")
            try:
                embedded_postgres.start(settings.VAR)
            except EmbeddedPostgresError as error:
                say(str(error))
                due = time.monotonic() + 10 * _DATABASE_LOOK_S

    return look


def _answers(host: str, port: int) -> bool:
    """Tell whether the web server answers with anything but an error of its own."""
    hosts = [name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))]
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": hosts[0] if hosts else f"{host}:{port}"})
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
