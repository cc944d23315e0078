"""The contract of a registrar: a service that knows bibliographic records by DOI."""

from __future__ import annotations

from typing import Any, Protocol

import httpx

from corpus.core.works.work import Work

AGENT = "klea-ingest/1.0"
TIMEOUT_S = 10.0
NOT_KNOWN = frozenset({400, 404, 410, 422})


class NotAsked(Exception):  # noqa: N818 -- an outcome: nothing is known, ask later
    """The service didn't answer the question: it asked to wait, failed or could not be reached. It must be asked again later.

    Attributes:
        service: which one.
        reason: in plain words.
        retry_after_s: what the service asked for, or None.
    """

    retryable = True
    advice = "Nothing is lost: Klea asks again later by itself."

    def __init__(self, service: str, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(f"{service}: {reason}")
        self.service = service
        self.reason = reason
        self.retry_after_s = retry_after_s


class Registrar(Protocol):
    """A service that is asked for works. Calls leave the machine, so it is used only when the operator switched it on.

    Attributes:
        name: as in the setting REGISTRARS and on candidates.
    """

    name: str

    def by_doi(self, doi: str) -> tuple[Work, ...]:
        """Return the work with this DOI (lower case), or nothing when the service says that it knows none.

        Raises:
            NotAsked: it didn't answer.
        """
        ...

    def by_title(self, title: str) -> tuple[Work, ...]:
        """Return works whose title is like this one, best first; the caller decides whether one matches.

        Raises:
            NotAsked: it didn't answer.
        """
        ...


def get_json(
    client: httpx.Client, service: str, url: str, *, params: dict[str, str], headers: dict[str, str] | None = None
) -> Any | None:
    """Ask a service; None means that it answered "not known".

    A 404 that calls its plain text JSON, and HTML with status 200, are read for what they are.

    Raises:
        NotAsked: time-out, broken connection, 429, 5xx, or an answer that is no JSON.
    """
    try:
        answer = client.get(url, params=params, headers=headers or {})
    except httpx.HTTPError as error:
        raise NotAsked(service, f"it could not be reached ({type(error).__name__})") from error
    if answer.status_code in NOT_KNOWN:
        return None
    if answer.status_code != httpx.codes.OK:
        raise NotAsked(service, f"it answered with status {answer.status_code}", _retry_after(answer))
    try:
        return answer.json()
    except ValueError as error:
        raise NotAsked(service, "its answer is no JSON") from error


def polite_client(mailto: str, transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """Make a client that says who asks, as the services' polite pools want it; redirects are followed within https only."""
    return httpx.Client(
        timeout=TIMEOUT_S, headers={"User-Agent": f"{AGENT} (mailto:{mailto})"}, follow_redirects=True, transport=transport
    )


def _retry_after(answer: httpx.Response) -> float | None:
    value = answer.headers.get("retry-after", "")
    return min(float(value), 3600.0) if value.isdigit() else None
