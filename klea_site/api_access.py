"""Who comes in by the API: a person with a browser session and a CSRF token, or a program with a key."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware

from chat.api_keys import user_of
from klea_site.sign_in_limit import keys_of, note_failure, seconds_to_wait

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
PREFIX = "/api/"


class ApiAccessMiddleware:
    """Sets the user of API requests: the owner of a key, limited to its domains, or who is signed in."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request in, or say why not."""
        if request.path.startswith(PREFIX) and (refusal := self._refusal(request)) is not None:
            return refusal
        return self.get_response(request)

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._by_key(request, secret.strip())
        if request.user.is_authenticated and request.method not in SAFE_METHODS:
            return _csrf_refusal(request)
        return None

    def _by_key(self, request: HttpRequest, secret: str) -> HttpResponse | None:
        keys = keys_of(request)
        if wait_s := seconds_to_wait(keys):
            answer = _refused(429, "Too many wrong keys came from this address.", f"Wait {-(-wait_s // 60)} minutes.")
            answer.headers["Retry-After"] = str(wait_s)
            return answer
        user = user_of(secret)
        if user is None:
            note_failure(keys)
            return _refused(401, "This API key is not valid.", "It may have expired or been revoked. Make a new one.")
        request.user = user  # type: ignore[assignment]
        return None


def _csrf_refusal(request: HttpRequest) -> HttpResponse | None:
    def ignored(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    check = CsrfViewMiddleware(ignored)
    check.process_request(request)
    if check.process_view(request, ignored, (), {}) is None:
        return None
    return _refused(
        403,
        "The request carries no valid CSRF token.",
        "From the browser send the token in the header X-CSRFToken; from a program use an API key instead of the session cookie.",
    )


def _refused(status: int, error: str, advice: str) -> JsonResponse:
    return JsonResponse({"error": error, "advice": advice}, status=status)
