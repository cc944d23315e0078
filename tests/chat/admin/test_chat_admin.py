"""Conversations, keys, models and usage in the admin: what each person sees and may do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from chat.api_keys import user_of
from chat.models import ApiKey, Citation, ModelAssignment, Session, Turn, Usage
from tests.chat.library import Library

pytestmark = pytest.mark.django_db
MODELS = ["session", "turn", "apikey", "modelassignment", "toolserver", "usage"]


@pytest.fixture
def staff(library: Library) -> Library:
    User.objects.update(is_staff=True)
    for name in ("ada", "cleo", "mia"):
        getattr(library.teams, name).refresh_from_db()
    return library


@pytest.fixture
def turn(staff: Library) -> Turn:
    """Ada was told something about channels."""
    session = Session.objects.create(owner=staff.teams.ada, title="Channels")
    made = Turn.objects.create(
        session=session, ordinal=1, question="What?", answer="A channel [1].", state="finished", domains=["physics"]
    )
    Citation.objects.create(
        turn=made,
        marker=1,
        chunk=staff.channels,
        domain=staff.teams.physics,
        sentence="A channel.",
        quote="ion channel",
        support="verified",
        snapshot={"title": "On channels"},
    )
    return made


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("page", ["changelist", "add"])
def test_every_page_opens_or_is_refused_but_never_breaks(staff: Library, client: Client, model: str, page: str) -> None:
    for person in (staff.teams.ada, staff.teams.mia):
        client.force_login(person)
        assert client.get(reverse(f"admin:chat_{model}_{page}")).status_code in {200, 403}


def test_a_turn_shows_its_citations_to_its_asker_alone(turn: Turn, staff: Library, client: Client) -> None:
    address = reverse("admin:chat_turn_change", args=[turn.pk])
    client.force_login(staff.teams.ada)
    own = client.get(address)
    client.force_login(staff.teams.mia)
    foreign = client.get(address)

    assert "On channels" in own.content.decode()
    assert foreign.status_code == 302
    assert "A channel" not in client.get(reverse("admin:chat_turn_changelist")).content.decode()


def test_a_key_is_shown_once_and_works(staff: Library, client: Client) -> None:
    client.force_login(staff.teams.ada)
    page = client.post(
        reverse("admin:chat_apikey_add"),
        {"name": "script", "domains": [staff.teams.physics.pk], "expires_0": "", "expires_1": ""},
    )
    key = ApiKey.objects.get()
    secret = re.findall(r"klea_[\w-]{30,}", page.content.decode())[0]

    assert "no-store" in page.headers["Cache-Control"]
    owner = user_of(secret)
    assert owner == staff.teams.ada
    assert secret not in client.get(reverse("admin:chat_apikey_change", args=[key.pk])).content.decode()


def test_a_key_cannot_be_limited_to_a_foreign_domain(staff: Library, client: Client) -> None:
    client.force_login(staff.teams.ada)
    page = client.post(reverse("admin:chat_apikey_add"), {"name": "script", "domains": [staff.teams.botany.pk]})

    assert page.status_code == 200
    assert ApiKey.objects.count() == 0


def test_keys_are_revoked_by_an_action(staff: Library, client: Client) -> None:
    client.force_login(staff.teams.ada)
    client.post(reverse("admin:chat_apikey_add"), {"name": "script"})
    key = ApiKey.objects.get()
    client.post(reverse("admin:chat_apikey_changelist"), {"action": "revoke", "_selected_action": [key.pk]})

    key.refresh_from_db()
    assert key.revoked is not None


def test_a_manager_assigns_models_to_the_own_domain_only(staff: Library, client: Client) -> None:
    client.force_login(staff.teams.mia)
    add = reverse("admin:chat_modelassignment_add")
    fields: dict[str, Any] = {"role": "chat", "provider": "extractive", "model": "", "fallback_model": ""}
    client.post(add, {**fields, "domain": staff.teams.botany.pk})
    client.post(add, {**fields, "domain": ""})
    refused = ModelAssignment.objects.count()
    client.post(add, {**fields, "domain": staff.teams.physics.pk})

    assert refused == 0
    assert ModelAssignment.objects.get().domain == staff.teams.physics


def test_usage_shows_ones_own_calls_with_sums(staff: Library, client: Client) -> None:
    for person, tokens in ((staff.teams.ada, 1234), (staff.teams.cleo, 5678)):
        Usage.objects.create(user=person, role="chat", provider="p", model="m", tokens_in=tokens)
    client.force_login(staff.teams.ada)
    page = client.get(reverse("admin:chat_usage_changelist")).content.decode()

    assert "1234" in page
    assert "5678" not in page
