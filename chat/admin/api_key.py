"""API keys: made by the verb, shown once, revoked; never edited."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from chat.admin.own_rows import OwnRows, is_staff
from chat.api_keys import create_key, revoke_key
from chat.asking import AskError
from chat.models import ApiKey
from corpus.models import Domain


class KeyForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a new key may do; a limit that the owner doesn't see can't be chosen."""

    owner: Any = None

    class Meta:
        model = ApiKey
        fields = ("name", "domains", "expires")
        help_texts = {"expires": "Empty: in a year, which is also the longest."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["domains"].queryset = Domain.objects.visible_to(self.owner)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        """Make the key, so that the verb's errors appear in the form."""
        found: dict[str, Any] | None = super().clean()
        if not self.errors and found is not None:
            slugs = [domain.slug for domain in found["domains"]]
            try:
                self.made, secret = create_key(self.owner, name=found["name"], domains=slugs, expires=found["expires"])
            except AskError as error:
                raise forms.ValidationError(f"{error.message} {error.advice}") from error
            self.made.secret = secret  # type: ignore[attr-defined]
        return found


@admin.register(ApiKey)
class ApiKeyAdmin(OwnRows):
    """Your keys for programs."""

    list_display = ("name", "prefix", "limits", "expires", "last_used", "revoked")
    search_fields = ("name", "prefix")
    actions = ("revoke",)
    fields = ("name", "prefix", "limits", "created", "expires", "last_used", "revoked")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002
        """Ask for a name, limits and an end."""
        if obj is not None:
            return super().get_form(request, obj, change, **kwargs)
        owner = request.user
        return type("OwnKeyForm", (KeyForm,), {"owner": owner})

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show all of a key, and ask for little of a new one."""
        return self.fields if obj is not None else KeyForm.Meta.fields

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let every member of the staff make keys."""
        return is_staff(request)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:  # noqa: FBT001
        """Return the key that the verb made."""
        return form.made

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        """Save nothing: the verb has."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # noqa: FBT001
        """Save nothing: the verb has."""

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        """Show the secret, this once."""
        context = {**self.admin_site.each_context(request), "title": "Your new key", "key": obj, "secret": obj.secret}
        response = TemplateResponse(request, "admin/chat/apikey/made.html", context)
        response.headers["Cache-Control"] = "no-store"
        return response

    @admin.action(description="Revoke the chosen keys")
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        """End the keys at once."""
        for key in keys:
            revoke_key(request.user, key.pk)
        self.message_user(request, "The keys are refused from now on.", messages.SUCCESS)

    @admin.display(description="Limited to")
    def limits(self, key: ApiKey) -> str:
        """Return the domains that the key is limited to."""
        return ", ".join(domain.name for domain in key.domains.all()) or "all that you may see"
