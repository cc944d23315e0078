"""Fetch a file from the web for the library, without reaching anything inside the operator's network.

Every connection, also after a redirect, goes to an address that was resolved and checked here: no second look-up can lead
elsewhere (DNS rebinding). Off until the operator sets KLEA_URL_IMPORT.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import unquote, urljoin, urlsplit

import httpcore

REDIRECTS: Final = 5
CONNECT_S: Final = 10.0
TOTAL_S: Final = 120.0
OK: Final = 200
PORTS: Final = frozenset({80, 443})
_NAME: Final = re.compile(rb"filename\*?=(?:UTF-8'')?\"?([^\";]+)", re.IGNORECASE)


class FetchRefused(Exception):  # noqa: N818 -- an outcome that the asker must see
    """The address may not be fetched, or what came can't be kept; nothing was stored.

    Attributes:
        advice: what to do.
    """

    retryable = False

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(cause)
        self.advice = advice


class GuardedBackend(httpcore.SyncBackend):
    """Connects to public addresses only; the address that was checked is the one that is used."""

    def __init__(self, allowed_private: Iterable[str] = ()) -> None:
        self._allowed = frozenset(allowed_private)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Resolve `host`, refuse anything that isn't public, and connect to the first address."""
        address = public_address(host, port, allowed_private=self._allowed)
        return super().connect_tcp(address, port, timeout, local_address, socket_options)

    def connect_unix_socket(self, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
        """Refuse: a web address never leads to a socket of this machine."""
        raise FetchRefused("The address leads to this machine.", "Give an address on the web.")


def public_address(host: str, port: int, *, allowed_private: frozenset[str] = frozenset()) -> str:
    """Return an address of `host` after checking that all its addresses are public.

    Raises:
        FetchRefused: the name can't be resolved, or one of its addresses is private, local, reserved or of a cloud's metadata.
    """
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (socket.gaierror, UnicodeError) as error:
        raise FetchRefused(f"The host {host} can't be found.", "Check the address for a typing mistake.") from error
    if host in allowed_private:
        return min(found)
    for text in found:
        address = ipaddress.ip_address(text.split("%", 1)[0])
        mapped = getattr(address, "ipv4_mapped", None)
        if not (mapped or address).is_global or (mapped or address).is_multicast:
            raise FetchRefused(
                f"The host {host} is not on the public web.", "Klea fetches from public addresses only. Upload the file instead."
            )
    return min(found)


def fetch(url: str, into: Path, *, max_bytes: int, allowed_private: Iterable[str] = ()) -> str:
    """Fetch `url` into the new file `into` and return the name that the server or the address gives it.

    Args:
        url: http or https, ports 80 and 443.
        into: a path that doesn't exist yet; removed again when anything fails.
        max_bytes: larger files are refused, by their announced length or as soon as they pass it.
        allowed_private: host names that the operator allows although they are inside the network (any port).

    Raises:
        FetchRefused: the address isn't allowed, doesn't answer, redirects too often, or the file is too large.
    """
    allowed = frozenset(allowed_private)
    deadline = time.monotonic() + TOTAL_S
    with httpcore.ConnectionPool(network_backend=GuardedBackend(allowed)) as pool:
        for _ in range(REDIRECTS + 1):
            _check(url, allowed)
            try:
                redirect, name = _one_hop(pool, url, into, max_bytes=max_bytes, deadline=deadline)
            except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError) as error:
                into.unlink(missing_ok=True)
                raise FetchRefused(f"{url} didn't answer as it should ({type(error).__name__}).", "Try again later.") from error
            if redirect is None:
                return name
            url = urljoin(url, redirect)
    raise FetchRefused("The address redirects too often.", "Open it in a browser and give the address that it ends at.")


def _check(url: str, allowed: frozenset[str]) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise FetchRefused("Only http and https addresses can be fetched.", "Give an address that starts with https://.")
    if parts.username or parts.password:
        raise FetchRefused("The address holds a name or password.", "Give it without them, or upload the file.")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if port not in PORTS and parts.hostname not in allowed:
        raise FetchRefused(f"Port {port} is not fetched from.", "Klea fetches from ports 80 and 443 only.")


def _one_hop(pool: httpcore.ConnectionPool, url: str, into: Path, *, max_bytes: int, deadline: float) -> tuple[str | None, str]:
    timeout = dict.fromkeys(("connect", "read", "write", "pool"), CONNECT_S)
    headers = [(b"User-Agent", b"klea"), (b"Accept", b"*/*"), (b"Accept-Encoding", b"identity")]
    with pool.stream("GET", url, headers=headers, extensions={"timeout": timeout}) as answer:
        given = {key.lower(): value for key, value in answer.headers}
        if answer.status in {301, 302, 303, 307, 308} and b"location" in given:
            return given[b"location"].decode("latin-1"), ""
        if answer.status != OK:
            raise FetchRefused(
                f"The server answered with status {answer.status}.", "Check that the address is open to everybody."
            )
        length = given.get(b"content-length", b"")
        if length.isdigit() and int(length) > max_bytes:
            raise _too_large(max_bytes)
        try:
            with into.open("xb") as file:
                _copy(answer, file, max_bytes=max_bytes, deadline=deadline)
        except FetchRefused:
            into.unlink(missing_ok=True)
            raise
        return None, _name(given.get(b"content-disposition", b""), url)


def _copy(answer: httpcore.Response, file: IO[bytes], *, max_bytes: int, deadline: float) -> None:
    written = 0
    for part in answer.iter_stream():
        written += len(part)
        if written > max_bytes:
            raise _too_large(max_bytes)
        if time.monotonic() > deadline:
            raise FetchRefused(f"The file didn't arrive within {TOTAL_S:.0f} seconds.", "Download it and upload it here.")
        file.write(part)


def _too_large(max_bytes: int) -> FetchRefused:
    return FetchRefused(
        f"The file is larger than {max_bytes // 1024 // 1024} MB.",
        "Ask the operator to raise KLEA_UPLOAD_MAX_MB, or split the file.",
    )


def _name(disposition: bytes, url: str) -> str:
    found = _NAME.search(disposition)
    name = unquote(found.group(1).decode("latin-1").strip()) if found else unquote(urlsplit(url).path)
    return name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or urlsplit(url).hostname or "page"
