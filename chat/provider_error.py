"""What can go wrong with a language model: what happened, whether trying again may help, and what a reader can do."""

from __future__ import annotations


class ProviderError(Exception):
    """The language model did not answer.

    Attributes:
        retryable: whether the same request may succeed a little later.
        advice: what the reader can do.
        retry_after_s: how long the service asks to wait, if it says.
    """

    retryable = False
    message = "The language model did not answer."
    advice = "Ask again. If it happens again, tell an administrator."

    def __init__(self, detail: str = "", *, retry_after_s: float | None = None) -> None:
        super().__init__(detail or self.message)
        self.detail = detail
        self.retry_after_s = retry_after_s


class RateLimitedError(ProviderError):
    """The service asks to wait (429)."""

    retryable = True
    message = "The language model gets too many requests at the moment."
    advice = "The question was kept. Wait a minute and try again."


class OverloadedError(ProviderError):
    """The service is overloaded (529, 503)."""

    retryable = True
    message = "The language model is overloaded at the moment."
    advice = "The question was kept. Try again in a few minutes."


class ServiceFaultError(ProviderError):
    """The service failed by its own fault (5xx)."""

    status = 500

    retryable = True
    message = "The language-model service had a fault."
    advice = "The question was kept. Try again in a minute."


class UnreachableError(ProviderError):
    """The service could not be reached, or the connection broke."""

    retryable = True
    message = "The connection to the language model broke."
    advice = "The question was kept. Try again; if it happens again, an administrator should check the address and the network."


class SilentError(ProviderError):
    """The service said nothing for too long."""

    retryable = True
    message = "The language model did not answer in time."
    advice = "The question was kept. Try again, or ask a shorter question."


class KeyRejectedError(ProviderError):
    """The key is missing, wrong or not allowed (401, 403)."""

    message = "The language-model service refused Klea's key."
    advice = "An administrator must check the key of this provider; trying again won't help."


class UnknownModelError(ProviderError):
    """There is no such model (404)."""

    message = "The language-model service doesn't know the chosen model."
    advice = "Choose another model, or tell an administrator."


class RequestRejectedError(ProviderError):
    """The service refused the request as malformed (400)."""

    status = 400

    message = "The language-model service refused the request."
    advice = "Tell an administrator; the server's log has the details."


class ContextOverflowError(ProviderError):
    """The prompt is longer than the model can read."""

    message = "The question and its sources are longer than the model can read."
    advice = "Ask a narrower question, choose fewer domains, or start a new session."


class RefusedError(ProviderError):
    """The model declined to answer."""

    message = "The language model declined to answer this question."
    advice = "Word the question differently. The passages that were found are shown beside it."


class BadReplyError(ProviderError):
    """The reply was not what was asked for: malformed events or JSON. `text` holds what came."""

    retryable = True
    message = "The language model's reply could not be read."
    advice = "Try again. If it happens again, another model may do better."

    def __init__(self, detail: str = "", *, text: str = "") -> None:
        super().__init__(detail)
        self.text = text[:2_000]


class NoModelError(ProviderError):
    """The task needs a language model and none is configured."""

    message = "No language model is configured for this."
    advice = "An administrator can choose one under Model assignments in the admin."


class CutOffError(BadReplyError):
    """The reply ended before it was whole: the model wrote more than it may."""

    message = "The language model's reply was cut off."
    advice = "Ask a narrower question, or tell an administrator to raise the limit of this model."


BY_STATUS: dict[int, type[ProviderError]] = {
    401: KeyRejectedError,
    402: KeyRejectedError,
    403: KeyRejectedError,
    404: UnknownModelError,
    408: SilentError,
    409: ServiceFaultError,
    413: ContextOverflowError,
    429: RateLimitedError,
    503: OverloadedError,
    529: OverloadedError,
}
TOO_LONG = (
    "prompt is too long",
    "context length",
    "context window",
    "context_length",
    "maximum context",
    "too many tokens",
    "input is too long",
    "exceeds the available context",
)


def error_of(status: int, detail: str, *, retry_after: str | None = None) -> ProviderError:
    """Return the error that an HTTP status of a service means.

    Args:
        status: of the response.
        detail: what the service says; it is logged, not shown.
        retry_after: the header of that name, in seconds.

    >>> type(error_of(400, "prompt is too long: 300000 tokens")).__name__, error_of(529, "").retryable
    ('ContextOverflowError', True)
    """
    wait_s = _seconds(retry_after)
    if status in {RequestRejectedError.status, 422} and any(words in detail.lower() for words in TOO_LONG):
        return ContextOverflowError(detail)
    kind = BY_STATUS.get(status) or (ServiceFaultError if status >= ServiceFaultError.status else RequestRejectedError)
    return kind(f"{status}: {detail[:500]}", retry_after_s=wait_s)


def _seconds(retry_after: str | None) -> float | None:
    try:
        return max(0.0, float(retry_after)) if retry_after else None
    except ValueError:
        return None
