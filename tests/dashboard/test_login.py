"""Getting in and out: log-in, repeated failures, reset by mail, where `/` leads."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from accounts.attempts import place_of
from accounts.models import User, UserSession
from accounts.sessions import digest
from tests.dashboard.world import PASSWORD, World, page
from tests.jobs import run_jobs

EMAIL = "ada@acme.example"
NEW_PASSWORD = "seven quiet rivers"


class BrokenMail(BaseEmailBackend):
    """A mail server that is away."""

    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError


@pytest.fixture(autouse=True)
def window(monkeypatch: pytest.MonkeyPatch) -> None:
    """All attempts of a test fall into one window of the counters, whenever it runs."""
    now = time.time()
    monkeypatch.setattr("django_ratelimit.core.time", SimpleNamespace(time=lambda: now))


def log_in(email: str = EMAIL, password: str = PASSWORD, client: Client | None = None, **fields: str):
    return (client or Client()).post("/login", {"username": email, "password": password} | fields)


def test_the_start_asks_strangers_to_log_in(world: World) -> None:
    assert Client().get("/")["Location"] == "/login?next=/"


def test_the_start_leads_to_the_last_organization(world: World) -> None:
    client = Client()
    assert log_in(client=client)["Location"] == "/"
    assert client.get("/", follow=True).request["PATH_INFO"].startswith(world.path("{o}/"))
    assert client.get(world.path("{o}"), follow=True).status_code == 200


def test_the_address_may_be_written_otherwise(world: World) -> None:
    assert log_in(f"  {EMAIL.upper()} ").status_code == 302


def test_log_in_goes_where_the_person_wanted(world: World) -> None:
    assert log_in(next="/account")["Location"] == "/account"
    assert log_in(next="https://evil.example/")["Location"] == "/"


def test_who_is_logged_in_is_led_on(world: World) -> None:
    client = world.client("owner")
    assert client.get("/login?next=/account")["Location"] == "/account"
    for elsewhere in ("/login", "/login?next=/login", "https://evil.example/", "//evil.example"):
        assert client.get("/login", {"next": elsewhere})["Location"] == "/"


@pytest.mark.parametrize(("email", "password"), [(EMAIL, "wrong"), ("nobody@acme.example", PASSWORD)])
def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(
    email: str, password: str, world: World
) -> None:
    answer = log_in(email, password)
    assert answer.status_code == 200
    assert "E-mail address and password do not match" in page(answer)


def test_a_closed_account_does_not_get_in(world: World) -> None:
    User.objects.filter(email=EMAIL).update(is_active=False)
    assert log_in().status_code == 200


def test_repeated_failures_are_paused(world: World) -> None:
    for _ in range(5):
        answer = log_in(password="wrong")
    assert answer.status_code == 429
    assert "Too many wrong passwords" in page(answer)
    right = log_in()
    assert right.status_code == 429, "the right password does not count either"
    assert right["Retry-After"] == "900"
    assert log_in("ed@acme.example").status_code == 302, "others are not affected"


def test_the_pause_holds_for_the_admin_too(world: World) -> None:
    for _ in range(5):
        log_in(password="wrong")
    answer = Client().post("/admin/login/", {"username": EMAIL, "password": PASSWORD})
    assert answer.status_code == 429


class TestOnePasswordOnManyPeople:
    """Thirty failures from one place pause it for whatever addresses, which does not slow others."""

    def spray(self, count: int, path: str = "/login", **client: str) -> int:
        for number in range(count):
            form = {"username": f"somebody-{number}@acme.example", "password": "spring 2026"}
            answer = Client(**client).post(path, form)
        return answer.status_code

    @pytest.mark.parametrize("path", ["/login", "/admin/login/"])
    def test_is_paused(self, path: str, world: World) -> None:
        assert self.spray(29, path) == 200
        assert log_in().status_code == 302
        assert self.spray(1, path) == 429, "a success in between forgives nothing"
        answer = log_in()
        assert answer.status_code == 429
        assert "for several addresses came from your network" in page(answer)
        assert f'value="{EMAIL}"' in page(answer)
        assert 0 < int(answer["Retry-After"]) <= 900
        assert Client().post("/admin/login/", {"username": EMAIL, "password": PASSWORD}).status_code == 429
        assert log_in(client=Client(REMOTE_ADDR="192.0.2.7")).status_code == 302

    def test_from_the_addresses_of_one_network(self, world: World) -> None:
        for number in range(30):
            client = Client(REMOTE_ADDR=f"2001:db8:7:7::{number:x}")
            log_in(f"somebody-{number}@acme.example", "spring 2026", client)
        assert log_in(client=Client(REMOTE_ADDR="2001:db8:7:7:ffff::1")).status_code == 429
        assert log_in(client=Client(REMOTE_ADDR="2001:db8:7:8::1")).status_code == 302

    def test_refused_attempts_are_not_counted(self, world: World) -> None:
        for _ in range(40):
            log_in(password="wrong")
        assert log_in("ed@acme.example").status_code == 302


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:DB8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.7:50123", "192.0.2.7"),
        ("[2001:db8:1:2::4]:50123", "2001:db8:1:2::/64"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_a_place_is_an_address_or_a_network(given: str, place: str) -> None:
    assert place_of(RequestFactory().get("/", REMOTE_ADDR=given)) == place


@pytest.mark.parametrize("said", ["192.0.2.7", "10.0.0.1, 192.0.2.7:50123"])
def test_a_session_is_listed_with_the_address_that_the_proxy_saw(
    said: str, world: World, settings: Any
) -> None:
    settings.TRUST_PROXY_HEADERS = True
    assert log_in(client=Client(headers={"X-Forwarded-For": said})).status_code == 302
    assert UserSession.objects.get(user=world.people["owner"]).ip == "192.0.2.7"


@pytest.mark.parametrize(
    ("is_trusted", "forwarded", "place"),
    [
        (False, "198.51.100.1", "192.0.2.7"),  # anybody can send the header
        (True, "198.51.100.1", "198.51.100.1"),
        (True, "203.0.113.9, 198.51.100.1", "198.51.100.1"),  # the first one was the visitor's own word
        (True, "203.0.113.9,\t2001:db8:1:2::4 ", "2001:db8:1:2::/64"),
        (True, "", "192.0.2.7"),  # asked past the proxy
    ],
)
def test_only_a_trusted_proxy_says_where_somebody_is(
    is_trusted: bool, forwarded: str, place: str, settings: Any
) -> None:
    settings.TRUST_PROXY_HEADERS = is_trusted
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7", headers={"x-forwarded-for": forwarded})
    assert place_of(request) == place


def test_a_success_forgives_what_was_before(world: World) -> None:
    for _ in range(3):
        for _ in range(3):
            log_in(password="wrong")
        assert log_in().status_code == 302


@pytest.mark.parametrize("planter", ["nobody", "viewer"])
@pytest.mark.parametrize("path", ["/login", "/admin/login/"])
def test_a_planted_cookie_is_not_that_of_who_logs_in(path: str, planter: str, world: World) -> None:
    """Whoever can set a cookie in the browser of another knows no session of theirs (fixation)."""
    User.objects.filter(email=EMAIL).update(is_staff=True)
    attacker, victim = world.client(planter), Client()
    planted = attacker.cookies["sessionid"].value if planter != "nobody" else "planted" * 5
    attacker.cookies["sessionid"] = victim.cookies["sessionid"] = planted
    assert victim.post(path, {"username": EMAIL, "password": PASSWORD}).status_code == 302
    assert EMAIL in victim.get("/account").content.decode()
    assert attacker.get("/account").status_code == 302


def test_log_out_ends_the_session_and_its_row(world: World) -> None:
    client = world.client("owner")
    assert UserSession.objects.filter(user=world.people["owner"]).count() == 1
    answer = client.post("/logout")
    assert answer["Location"] == "/login"
    assert "cache" in answer["Clear-Site-Data"]
    assert not UserSession.objects.filter(user=world.people["owner"]).exists()
    assert client.get("/account").status_code == 302


def test_log_out_is_no_link(world: World) -> None:
    assert world.client("owner").get("/logout").status_code == 405


def test_the_session_in_the_database_opens_nothing(world: World) -> None:
    client = Client()
    log_in(client=client)
    row = UserSession.objects.get(user=world.people["owner"])
    assert row.session_key == digest(client.cookies["sessionid"].value)
    thief = Client()
    thief.cookies["sessionid"] = row.session_key
    assert thief.get("/account").status_code == 302


class TestReset:
    def link(self, email: str = EMAIL) -> str:
        assert Client().post("/password/reset", {"email": email})["Location"] == "/password/reset/sent"
        run_jobs()
        [sent] = mail.outbox
        assert sent.subject == "Reset your password"
        return re.search(r"http://testserver(/\S+)", sent.body)[1]

    def test_by_mail(self, world: World) -> None:
        other = world.client("owner")
        client = Client()
        shown = client.get(self.link("ADA@acme.example"), follow=True)
        assert "Choose a new password" in page(shown)
        form = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        answer = client.post(shown.request["PATH_INFO"], form, follow=True)
        assert "Your password is changed" in page(answer)
        assert log_in(password=PASSWORD).status_code == 200
        assert log_in(password=NEW_PASSWORD).status_code == 302
        assert other.get("/account").status_code == 302, "sessions from before have ended"

    def test_ends_the_pause_after_wrong_passwords(self, world: World) -> None:
        for _ in range(5):
            log_in(password="wrong")
        client = Client()
        shown = client.get(self.link(), follow=True)
        form = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        client.post(shown.request["PATH_INFO"], form)
        assert log_in(password=NEW_PASSWORD).status_code == 302

    def test_the_link_works_once(self, world: World) -> None:
        link = self.link()
        client = Client()
        shown = client.get(link, follow=True)
        form = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        client.post(shown.request["PATH_INFO"], form)
        assert "This link is used up" in page(Client().get(link, follow=True))

    def test_a_weak_password_is_refused(self, world: World) -> None:
        client = Client()
        shown = client.get(self.link(), follow=True)
        answer = client.post(
            shown.request["PATH_INFO"], {"new_password1": "12345678", "new_password2": "12345678"}
        )
        assert "too common" in page(answer)

    def test_an_unknown_address_gets_the_same_answer_after_the_same_work_and_no_mail(
        self, world: World
    ) -> None:
        work = []
        for email in (EMAIL, "nobody@acme.example"):
            with CaptureQueriesContext(connection) as queries:
                answer = Client().post("/password/reset", {"email": email})
            assert answer["Location"] == "/password/reset/sent"
            work.append([query["sql"].split()[:4] for query in queries])
        assert work[0] == work[1]
        assert not any("accounts_user" in word for query in work[0] for word in query)
        assert mail.outbox == []
        run_jobs()
        assert [sent.to for sent in mail.outbox] == [[EMAIL]]

    def test_the_mail_is_tried_again_when_the_server_fails(self, world: World, settings) -> None:
        working = settings.EMAIL_BACKEND
        settings.EMAIL_BACKEND = "tests.dashboard.test_login.BrokenMail"
        Client().post("/password/reset", {"email": EMAIL})
        run_jobs()
        settings.EMAIL_BACKEND = working
        run_jobs(later=True)
        assert [sent.to for sent in mail.outbox] == [[EMAIL]]

    def test_asking_again_and_again_sends_no_more_mails(self, world: World) -> None:
        for _ in range(8):
            answer = Client().post("/password/reset", {"email": EMAIL})
            assert answer["Location"] == "/password/reset/sent"
        run_jobs()
        assert len(mail.outbox) == 5

    def test_the_link_has_the_public_address(self, world: World, settings) -> None:
        settings.BASE_URL = "https://documents.example"
        Client().post("/password/reset", {"email": EMAIL})
        run_jobs()
        assert "https://documents.example/password/reset/" in mail.outbox[0].body


def test_the_choice_of_theme_stays(world: World) -> None:
    client = Client()
    answer = client.post("/account/theme", {"theme": "dark", "next": "/login"})
    assert answer["Location"] == "/login"
    assert '<html lang="en" data-theme="dark">' in page(client.get("/login"))
    client.post("/account/theme", {"theme": ""})
    assert '<html lang="en">' in page(client.get("/login"))


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_the_theme_leads_nowhere_else(back: str, world: World) -> None:
    assert Client().post("/account/theme", {"theme": "dark", "next": back})["Location"] == "/"
