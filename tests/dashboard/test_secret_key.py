"""SECRET_KEY is exchanged while people work, in the steps of docs/operating.md: nobody notices."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from tests.dashboard.world import PASSWORD, World
from tests.jobs import run_jobs

EMAIL = "ada@acme.example"
OLD, NEW = "old-secret-" * 5, "new-secret-" * 5
# What the processes of each step sign with, and what they read too.
STEPS = [((OLD, []), (OLD, [NEW])), ((OLD, [NEW]), (NEW, [OLD])), ((NEW, [OLD]), (NEW, []))]


class Process:
    """The settings of a process: some have been restarted in this step, others have not."""

    def __init__(self, settings: Any) -> None:
        self._settings = settings

    def __call__(self, given: tuple[str, list[str]]) -> None:
        self._settings.SECRET_KEY, self._settings.SECRET_KEY_FALLBACKS = given


@pytest.fixture
def process(settings: Any) -> Process:
    """Requests that follow are answered by a process with these settings; before the exchange at first."""
    process = Process(settings)
    process((OLD, []))
    return process


def test_who_is_logged_in_stays_so_whichever_process_answers(world: World, process: Process) -> None:
    browser = Client()
    assert browser.post("/login", {"username": EMAIL, "password": PASSWORD}).status_code == 302
    for before, after in STEPS:
        for given in (before, after, before, after):
            process(given)
            assert browser.get("/account").status_code == 200, given


def test_requests_of_one_page_are_answered_side_by_side(world: World, process: Process) -> None:
    """A page asks for its pictures at once, with the cookie that it came with."""
    browser = Client()
    browser.post("/login", {"username": EMAIL, "password": PASSWORD})
    cookie = browser.cookies["sessionid"].value
    for before, after in STEPS:
        for given in (before, after, before, after):
            process(given)
            beside = Client()
            beside.cookies["sessionid"] = cookie
            assert beside.get("/account").status_code == 200, given
            assert beside.cookies["sessionid"].value == cookie


def test_a_secret_that_is_not_known_any_more_ends_a_session(world: World, process: Process) -> None:
    browser = Client()
    browser.post("/login", {"username": EMAIL, "password": PASSWORD})
    process((NEW, []))
    assert browser.get("/account")["Location"] == "/login?next=/account"


@pytest.mark.parametrize(("before", "after"), STEPS)
def test_a_link_to_a_new_password_outlives_each_step(
    world: World, process: Process, settings: Any, before: Any, after: Any
) -> None:
    settings.HAS_MAIL_SERVER = True
    for first, then in ((before, after), (after, before)):
        process(first)
        mail.outbox.clear()
        assert Client().post("/password/reset", {"email": EMAIL}).status_code == 302
        run_jobs()
        (link,) = re.findall(r"http://[^/]+(/\S+)", str(mail.outbox[0].body))
        process(then)
        browser = Client()
        form = browser.get(link, follow=True)
        assert "new_password1" in form.content.decode()
        process(first)  # the form goes to another one than the page came from
        chosen = {"new_password1": f"{PASSWORD}!", "new_password2": f"{PASSWORD}!"}
        assert browser.post(form.request["PATH_INFO"], chosen).status_code == 302
