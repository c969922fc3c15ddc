"""A form that is refused shows the page that it is part of, under an address that only takes posts."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urljoin

import pytest
from django.http import HttpResponse

from accounts.models import Invitation, Membership, Organization
from assets.models import Asset
from dashboard.pages import PAGE_SIZE
from tests.dashboard.world import World, make_user

ENOUGH = PAGE_SIZE + 1


def many_domains(world: World) -> None:
    names = [f"shop{number}.example" for number in range(ENOUGH)]
    Organization.objects.filter(pk=world.organization.pk).update(allowed_domains=names)


def many_members(world: World) -> None:
    for number in range(ENOUGH):
        user = make_user(f"m{number}@acme.example")
        Membership.objects.create(organization=world.organization, user=user, role="viewer")
        Invitation.objects.create(
            organization=world.organization,
            email=f"i{number}@acme.example",
            role="viewer",
            invited_by=user,
            token_digest=f"{number}",
            expires_at=user.date_joined,
        )


def many_assets(world: World) -> None:
    for number in range(ENOUGH):
        Asset.objects.create(
            organization=world.organization,
            name=f"{number}.png",
            kind="image",
            content_type="image/png",
            size_bytes=1,
            file=f"assets/{number}",
        )


@pytest.mark.parametrize(
    ("many", "path", "wrong", "pages"),
    [
        (many_domains, "{o}/settings/domains/add", {"domain": "a b"}, 1),
        (many_members, "{o}/settings/members/invite", {"email": "nobody"}, 2),
        (many_assets, "{o}/assets/upload", {}, 1),
    ],
)
def test_its_links_lead_to_pages(many, path: str, wrong: dict, pages: int, world: World) -> None:
    many(world)
    client, address = world.client("owner"), world.path(path)
    answer = client.post(address, wrong)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert len(re.findall('rel="next"', shown)) == pages
    links = {unescape(link) for link in re.findall(r'href="([^"]*\?[^"]*)"', shown)}
    assert links
    for link in links:
        assert client.get(urljoin(address, link)).status_code == 200, link


def test_the_page_begins_at_the_first_field_that_is_to_be_corrected(world: World) -> None:
    def begins_at(answer: HttpResponse) -> list[str]:
        found = re.findall(r"<[^>]* autofocus[^>]*>", answer.content.decode())
        return [name for tag in found for name in re.findall(r' name="([^"]*)"', tag)]

    owner = world.client("owner")
    assert begins_at(owner.get(world.path("{o}/settings/domains"))) == []
    assert begins_at(owner.post(world.path("{o}/settings/domains/add"), {"domain": "a b"})) == ["domain"]
    assert begins_at(owner.post(world.path("{o}/settings/webhooks/new"), {"url": "http://a.b/"})) == ["url"]
    assert begins_at(owner.post(world.path("{o}/settings/webhooks/new"), {"events": ["no"]})) == ["url"]

    stranger = world.client("nobody")
    assert begins_at(stranger.get("/login")) == ["username"]
    assert begins_at(stranger.post("/login", {"username": "ann@acme.example"})) == ["password"]
