"""What pages may load, header by header and file by file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.dashboard.pages import PAGES
from tests.dashboard.world import World

DASHBOARD = Path(__file__).resolve().parents[2] / "dashboard"
TEMPLATES = sorted((DASHBOARD / "templates").rglob("*.html"))


def test_every_page_has_a_policy_without_exceptions(world: World) -> None:
    client, nobody = world.client("owner"), world.client("nobody")
    for page in PAGES:
        answer = (nobody if page.role == "nobody" else client).get(world.path(page.path))
        policy = answer["Content-Security-Policy"]
        is_page = answer["Content-Type"].startswith("text/html")
        # A file of somebody's (an SVG) may style itself, in a sandbox of its own.
        assert "unsafe" not in policy or ("sandbox" in policy and not is_page), page.name
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy or not is_page
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer["X-Frame-Options"] == "DENY"
        assert "camera=()" in answer["Permissions-Policy"]


@pytest.mark.parametrize(
    ("path", "is_loose"),
    [
        ("/admin/login/", True),
        ("/api/v1", True),
        ("/login", False),
        ("/nope", False),
        ("/administrator", False),
        ("/api/v1x", False),
    ],
)
def test_exceptions_are_for_two_places_only(path: str, is_loose: bool, world: World) -> None:
    policy = world.client("nobody").get(path)["Content-Security-Policy"]
    assert ("unsafe-inline" in policy) == is_loose
    assert "frame-ancestors 'none'" in policy


def test_the_api_has_no_policy(world: World) -> None:
    assert "Content-Security-Policy" not in world.client("nobody").get("/v1/orgs")


def test_pages_of_members_are_not_kept_by_caches(world: World) -> None:
    answer = world.client("owner").get(world.path("{o}/settings/members"))
    assert answer["Cache-Control"] == "private, no-cache"
    # A part of a page is kept apart from the page at the same address.
    assert {"HX-Request", "HX-Target"} <= set(answer["Vary"].split(", "))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(DASHBOARD).as_posix())
def test_no_page_holds_what_the_policy_refuses(path: Path) -> None:
    page = path.read_text()
    assert not re.search(r"\son[a-z]+=", page), "an event handler"
    assert not re.search(r"\sstyle=", page), "a style attribute"
    assert "<style" not in page
    assert "hx-on" not in page
    assert "javascript:" not in page
    for tag in re.findall(r"<script[^>]*>", page):
        assert "src=" in tag or 'type="application/json"' in tag, tag
    for address in re.findall(r"(?:src|href|action)=\"(https?:)?//", page):
        raise AssertionError(address)


STYLES = [
    path for path in sorted((DASHBOARD / "static/dashboard").rglob("*.css")) if "vendor" not in path.parts
]


@pytest.mark.parametrize("path", sorted(STYLES), ids=lambda path: path.relative_to(DASHBOARD).as_posix())
def test_colours_come_from_the_tokens(path: Path) -> None:
    if path.name != "tokens.css":
        assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|light-dark\(", path.read_text())
