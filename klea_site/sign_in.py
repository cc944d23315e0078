"""The doors to sign in: by password and by a one-time link; both slow down guessing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from klea_site.sign_in_limit import keys_of, note_failure, seconds_to_wait
from klea_site.sign_in_link import LinkUsedError, SignInLinkError, redeem


@method_decorator(never_cache, name="dispatch")
class SignInView(LoginView):
    """Sign in by name and password."""

    template_name = "sign_in.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Check the password, unless too many were wrong lately."""
        if wait_s := seconds_to_wait(keys_of(request, name=request.POST.get("username", ""))):
            return _too_many(request, wait_s=wait_s)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Count the failure."""
        note_failure(keys_of(self.request, name=self.request.POST.get("username", "")))
        return super().form_invalid(form)


@never_cache
@require_safe
@sensitive_variables("token")
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let in who opens a one-time link. A look ahead by a browser or a mail program doesn't use it up."""
    if request.method == "HEAD" or "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", "")):
        return HttpResponse(status=204)
    keys = keys_of(request)
    if wait_s := seconds_to_wait(keys):
        return _too_many(request, wait_s=wait_s)
    try:
        user = redeem(token)
    except SignInLinkError as error:
        note_failure(keys)
        return _refused(request, error)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return _no_referrer(redirect(settings.LOGIN_REDIRECT_URL))


def _refused(request: HttpRequest, error: SignInLinkError) -> HttpResponse:
    if isinstance(error, LinkUsedError) and request.user.is_authenticated:
        return _no_referrer(redirect(settings.LOGIN_REDIRECT_URL))
    status = 403 if error.reason == "invalid" else 410
    return _no_referrer(render(request, "sign_in_link.html", {"reason": error.reason}, status=status))


def _too_many(request: HttpRequest, *, wait_s: int) -> HttpResponse:
    answer = render(request, "sign_in_link.html", {"reason": "wait", "minutes": -(-wait_s // 60)}, status=429)
    answer.headers["Retry-After"] = str(wait_s)
    return answer


def _no_referrer(response: HttpResponse) -> HttpResponse:
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
