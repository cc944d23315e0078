"""The JSON API: one router an app, one form of errors, its own page of documentation."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Swagger
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import HttpBearer

from chat.api import router as chat_router
from corpus.api import router as corpus_router
from klea_site.api_errors import in_plain_words
from retrieval.api import router as retrieval_router

logger = logging.getLogger(__name__)
HTTP_BAD_REQUEST = 400


class SignedIn(HttpBearer):
    """Who is signed in, or the owner of the API key; `ApiAccessMiddleware` has found out which."""

    def __call__(self, request: HttpRequest) -> Any:
        """Return the user, or None."""
        return request.user if request.user.is_authenticated else None

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Return the user, or None."""
        return self(request)


api = NinjaAPI(
    title="Klea",
    version="1",
    description=(
        "Questions over your own documents, answered with citations that can be checked.\n\n"
        "Send an API key as `Authorization: Bearer klea_…`, or use the session of the browser (then requests that change "
        "something need the CSRF token in `X-CSRFToken`). Errors have the form `{error, advice, allowed}`; what you may not see "
        "answers 404."
    ),
    auth=SignedIn(),
    docs=Swagger(settings={"persistAuthorization": False, "tryItOutEnabled": True, "defaultModelsExpandDepth": 0}),
    urls_namespace="api",
)
api.add_router("", corpus_router)
api.add_router("", retrieval_router)
api.add_router("", chat_router)


def error(request: HttpRequest, status: int, message: str, advice: str, *, allowed: Any = None) -> HttpResponse:
    """Return an error in the one form that all endpoints use."""
    body = {"error": message, "advice": advice}
    return api.create_response(request, body if allowed is None else {**body, "allowed": allowed}, status=status)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, exception: ValidationError) -> HttpResponse:
    message, allowed = in_plain_words(exception.errors)
    return error(request, 422, message, "Correct the request; /api/v1/docs shows its form.", allowed=allowed)


@api.exception_handler(AuthenticationError)
def _unknown(request: HttpRequest, exception: AuthenticationError) -> HttpResponse:
    return error(request, 401, "You are not signed in.", "Sign in, or send an API key: Authorization: Bearer klea_…")


@api.exception_handler(Http404)
def _missing(request: HttpRequest, exception: Http404) -> HttpResponse:
    told = str(exception)
    message = told if told.endswith(".") and "matches the given query" not in told else "There is no such thing."
    return error(request, 404, message, "Check the address; you may also not have the right to see it.")


@api.exception_handler(PermissionDenied)
def _denied(request: HttpRequest, exception: PermissionDenied) -> HttpResponse:
    return error(request, 403, str(exception) or "You may not do this.", "Ask a manager of the domain.")


@api.exception_handler(HttpError)
def _http(request: HttpRequest, exception: HttpError) -> HttpResponse:
    if exception.status_code == HTTP_BAD_REQUEST and "parse request body" in exception.message:
        return error(request, 400, "The body of the request is not JSON.", "Send JSON with Content-Type: application/json.")
    return error(request, exception.status_code, exception.message, "Correct the request; /api/v1/docs shows its form.")


@api.exception_handler(Exception)
def _any(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Errors of the apps carry `advice`; what doesn't is a fault of ours."""
    advice = getattr(exception, "advice", None)
    if isinstance(advice, str):
        status = getattr(exception, "status", 503 if getattr(exception, "retryable", False) else 400)
        message = getattr(exception, "message", None) or getattr(exception, "cause", None) or str(exception)
        return error(request, status, str(message), advice, allowed=getattr(exception, "allowed", None))
    logger.error("An API request failed: %s %s", request.method, request.path, exc_info=exception)
    return error(request, 500, "Something went wrong inside Klea.", "Try again; an administrator finds the cause in the log.")
