"""Tags and filters of the pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.urls import NoReverseMatch, reverse

from dashboard.templatetags.dashboard import actor, address_of, headline, moment


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("documents", ("org_1",)),
        ("version", ("org_1", "tpl_1", 3)),
        ("role", ("org_1", 9_000_000_003)),
        ("delivery", ("org_1", "argument2", "argument1")),
        ("document", ("org_1", "ä b?c")),
    ],
)
def test_addresses_are_those_of_reverse(name: str, arguments: tuple[str | int, ...]) -> None:
    for _ in range(2):
        assert address_of(name, *arguments) == reverse(f"dashboard:{name}", args=arguments)


@pytest.mark.parametrize(
    ("name", "arguments"), [("nothing", ()), ("version", ("o", "t", "one")), ("document", ("o", "a/b"))]
)
def test_an_address_that_does_not_exist_fails(name: str, arguments: tuple[str, ...]) -> None:
    with pytest.raises(NoReverseMatch):
        address_of(name, *arguments)


def test_a_moment_is_told_in_utc() -> None:
    at = datetime(2026, 11, 2, 0, 30, 15, tzinfo=timezone(timedelta(hours=2)))
    assert moment(at) == (
        '<time datetime="2026-11-01T22:30:15+00:00" title="2026-11-01 22:30:15 UTC">1 Nov 2026, 22:30</time>'
    )
    assert moment(at.astimezone(UTC)) == moment(at)
    assert moment(None) == ""


@pytest.mark.parametrize(
    ("author", "words"),
    [
        ("api", "A server (secret key)"),
        ("user:a@b", "End user a@b (public key)"),
        ("ada@acme.example", "ada@acme.example"),
        ("system", "This service"),
    ],
)
def test_who_did_it(author: str, words: str) -> None:
    assert actor(author) == words


def test_a_long_name_is_marked_in_a_heading() -> None:
    assert headline("A <b>") == "<bdi>A &lt;b&gt;</bdi>"
    assert headline("x" * 200) == f'<bdi class="long-name">{"x" * 200}</bdi>'
