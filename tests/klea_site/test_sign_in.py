from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from klea_site import sign_in_limit
from klea_site.models import FailedSignIn, UsedSignInLink
from klea_site.sign_in_link import LinkUsedError, make_link, redeem

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password="a long secret")


def path_of(link: str) -> str:
    return urlsplit(link).path


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_a_link_signs_in_once(client: Client, ada: User) -> None:
    link = path_of(make_link(ada, site=SITE))

    first, second = client.get(link), Client().get(link)

    assert first.status_code == 302
    assert signed_in_as(client) == str(ada.pk)
    assert second.status_code == 410
    assert "has been used" in second.text


def test_opening_a_used_link_again_while_signed_in_leads_on(client: Client, ada: User) -> None:
    link = path_of(make_link(ada, site=SITE))
    client.get(link)

    assert client.get(link).status_code == 302


def test_a_link_works_without_a_password(client: Client) -> None:
    guest = User.objects.create_user("guest")

    client.get(path_of(make_link(guest, site=SITE)))

    assert signed_in_as(client) == str(guest.pk)


def test_an_expired_link_says_so(client: Client, ada: User) -> None:
    answer = client.get(path_of(make_link(ada, site=SITE, valid_for=timedelta(seconds=-5))))

    assert answer.status_code == 410
    assert "has expired" in answer.text
    assert signed_in_as(client) is None


def test_a_changed_token_is_not_valid(client: Client, ada: User) -> None:
    link = path_of(make_link(ada, site=SITE))
    changed = re.sub(r"sign-in/(.)", lambda found: f"sign-in/{'A' if found[1] != 'A' else 'B'}", link)

    assert client.get(changed).status_code == 403
    assert signed_in_as(client) is None


@pytest.mark.parametrize("token", ["x", "a:b:c", "%00", "1" * 4000, "%F0%9F%98%80"])
def test_nonsense_is_not_valid(client: Client, token: str) -> None:
    assert client.get(f"/sign-in/{token}/").status_code == 403


def test_a_new_password_voids_the_links_made_before(client: Client, ada: User) -> None:
    link = path_of(make_link(ada, site=SITE))
    ada.set_password("another long secret")
    ada.save()

    assert client.get(link).status_code == 403


def test_a_closed_account_has_no_way_in(client: Client, ada: User) -> None:
    link = path_of(make_link(ada, site=SITE))
    User.objects.filter(pk=ada.pk).update(is_active=False)

    assert client.get(link).status_code == 403


@pytest.mark.parametrize("header", ["HTTP_SEC_PURPOSE", "HTTP_PURPOSE"])
def test_a_browser_that_looks_ahead_does_not_use_the_link_up(client: Client, ada: User, header: str) -> None:
    link = path_of(make_link(ada, site=SITE))

    ahead, head = client.get(link, **{header: "prefetch;prerender"}), client.head(link)

    assert (ahead.status_code, head.status_code) == (204, 204)
    assert client.get(link).status_code == 302


def test_the_token_is_sent_nowhere_and_kept_nowhere(client: Client, ada: User) -> None:
    link = path_of(make_link(ada, site=SITE))
    token = link.split("/")[2]

    answer = client.get(link)

    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    assert token not in answer.headers["Location"]
    assert not UsedSignInLink.objects.filter(digest__contains=token[:12]).exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_that_use_a_link_at_once_one_gets_in() -> None:
    user = User.objects.create_user("twice")
    token = path_of(make_link(user, site=SITE)).split("/")[2]

    def attempt(_: int) -> str:
        try:
            return redeem(token).username
        except LinkUsedError:
            return "used"
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(attempt, range(4)))

    assert outcomes == ["twice", "used", "used", "used"]


def test_guessing_links_is_stopped_after_a_while(client: Client, ada: User) -> None:
    tries = [client.get("/sign-in/guess/").status_code for _ in range(sign_in_limit.MAX_FAILURES["address"] + 1)]

    assert tries[-2:] == [403, 429]
    assert 0 < int(client.get(path_of(make_link(ada, site=SITE))).headers["Retry-After"]) <= 600


def test_after_the_window_the_count_starts_anew(client: Client, ada: User) -> None:
    for _ in range(sign_in_limit.MAX_FAILURES["address"]):
        client.get("/sign-in/guess/")
    for failure in FailedSignIn.objects.all():
        FailedSignIn.objects.filter(pk=failure.pk).update(failed_at=failure.failed_at - sign_in_limit.WINDOW)

    assert client.get(path_of(make_link(ada, site=SITE))).status_code == 302


def test_guessing_a_password_is_stopped_and_the_right_one_is_not_heard_then(client: Client, ada: User) -> None:
    for _ in range(sign_in_limit.MAX_FAILURES["address"]):
        client.post("/sign-in/", {"username": "ada", "password": "wrong"})

    answer = client.post("/sign-in/", {"username": "ada", "password": "a long secret"})

    assert answer.status_code == 429
    assert signed_in_as(client) is None


def test_a_password_signs_in_and_leads_to_the_page_asked_for(client: Client, ada: User) -> None:
    answer = client.post("/sign-in/", {"username": "ada", "password": "a long secret", "next": "/admin/"})

    assert answer.headers["Location"] == "/admin/"
    assert signed_in_as(client) == str(ada.pk)


def test_a_foreign_address_to_lead_on_to_is_ignored(client: Client, ada: User) -> None:
    answer = client.post("/sign-in/", {"username": "ada", "password": "a long secret", "next": "https://evil.example/"})

    assert "evil" not in answer.headers["Location"]


def test_the_command_makes_a_link(client: Client, ada: User) -> None:
    out = StringIO()
    call_command("sign_in_link", "ada", site="http://klea.test/", stdout=out)

    assert out.getvalue().startswith("http://klea.test/sign-in/")
    assert client.get(path_of(out.getvalue().strip())).status_code == 302


def test_the_command_names_no_link_for_nobody() -> None:
    with pytest.raises(CommandError, match="There is no user zoe"):
        call_command("sign_in_link", "zoe")


def test_health_tells_no_more_than_that_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
