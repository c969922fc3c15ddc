"""Who may open and change what: every address of the dashboard, role by role."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.dashboard.pages import CHANGES, ELSEWHERE, PAGES, Change, Page
from tests.dashboard.world import World

RANKS = ("nobody", "person", "viewer", "editor", "owner")
MOST_QUERIES = 12


def expected(needed: str, role: str) -> int:
    """Return the status that somebody gets for what `needed` may."""
    if needed == "nobody":
        return 200
    if role == "nobody":
        return 302
    if needed == "person":
        return 200
    if role == "stranger":
        return 404
    return 200 if RANKS.index(role) >= RANKS.index(needed) else 403


@pytest.mark.parametrize("role", ["nobody", "stranger", "viewer", "editor", "owner"])
def test_pages(role: str, world: World) -> None:
    client = world.client(role)
    for page in PAGES:
        answer = client.get(world.path(page.path))
        wanted = expected(page.role, role)
        if page.name == "login" and role != "nobody" or page.name == "leave" and role == "stranger":
            wanted = 302
        assert answer.status_code == wanted, (page.name, role, answer.status_code)
        if wanted == 302 and role == "nobody":
            assert answer["Location"].startswith("/login?next="), page.name


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.path)
@pytest.mark.parametrize("role", ["nobody", "stranger", "viewer", "editor", "owner"])
def test_changes(role: str, change: Change, world: World) -> None:
    path = world.path(change.path)
    before = facts(world)
    answer = world.client(role).post(path, change.body)
    wanted = expected(change.role, role)
    if wanted == 200:
        assert answer.status_code in {200, 302, 422}, (path, role, answer.status_code)
        assert not answer.get("Location", "").startswith("/login"), path
    else:
        assert answer.status_code == wanted, (path, role)
        assert facts(world) == before, path


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.path)
def test_a_forged_post_is_refused(change: Change, world: World) -> None:
    before = facts(world)
    client = world.client("owner", enforce_csrf_checks=True)
    answer = client.post(world.path(change.path), change.body, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()
    assert facts(world) == before


@pytest.mark.parametrize("path", ["/login", "/logout", "/password/reset", "/invitations/{token}"])
def test_a_forged_post_of_a_stranger_is_refused(path: str, world: World) -> None:
    client = world.client("nobody", enforce_csrf_checks=True)
    assert client.post(world.path(path)).status_code == 403


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_asks_too_much(page: Page, world: World, django_assert_max_num_queries: Any) -> None:
    client = world.client("nobody" if page.role == "nobody" else "owner")
    with django_assert_max_num_queries(MOST_QUERIES):
        assert client.get(world.path(page.path)).status_code == 200


def test_an_organization_that_is_not_theirs_is_like_one_that_does_not_exist(world: World) -> None:
    client = world.client("stranger")
    theirs = client.get(world.path("{o}/settings"))
    none = client.get("/o/org_none/settings")
    assert (theirs.status_code, none.status_code) == (404, 404)
    assert theirs.content == none.content


def test_every_address_is_in_a_table(world: World) -> None:
    walked = {world.path(each.path).partition("?")[0] for each in [*PAGES, *CHANGES]}
    missing = []
    for name, pattern in addresses(get_resolver("dashboard.urls").url_patterns):
        if name not in ELSEWHERE and not any(re.fullmatch(pattern, path.lstrip("/")) for path in walked):
            missing.append(name)
    assert missing == []


def addresses(patterns: list[Any], prefix: str = "") -> list[tuple[str, str]]:
    """Return every URL with its name, as a regular expression of the path."""
    found = []
    for pattern in patterns:
        path = prefix + re.sub(
            r"<(int:)?[^>]+>", lambda match: r"\d+" if match[1] else "[^/]+", str(pattern.pattern)
        )
        if isinstance(pattern, URLResolver):
            found += addresses(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            found.append((pattern.name or path, path))
    return found


def facts(world: World) -> Any:
    """Return what the changes of the table would change."""
    from accounts.models import Invitation, Membership, Organization, User
    from accounts.webhooks.models import Webhook, WebhookDelivery
    from assets.models import Asset
    from rendering.models import Batch, Document

    return (
        list(
            Organization.objects.order_by("pk").values(
                "name", "allowed_domains", "retention_days", "secret_key_digest"
            )
        ),
        list(Membership.objects.order_by("pk").values("user", "role")),
        list(Invitation.objects.order_by("pk").values("email", "role")),
        list(Webhook.objects.order_by("pk").values("url", "secret_hint")),
        list(WebhookDelivery.objects.order_by("pk").values("status", "next_attempt_at")),
        list(User.objects.order_by("pk").values("first_name", "password")),
        list(Document.objects.order_by("pk").values("status")),
        list(Batch.objects.order_by("pk").values("status")),
        list(Asset.objects.order_by("pk").values("name")),
    )
