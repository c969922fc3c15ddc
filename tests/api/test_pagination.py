"""Plain arrays with `limit`, `cursor` and a `Link` to the next page."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from accounts.models import Organization
from templates_app.models import Template
from tests.api.tools import errors_of, next_of, walk
from tests.conftest import ApiClient
from tests.factories import TemplateFactory, TemplateVersionFactory


def fill(organization: Organization, number: int, **fields: Any) -> None:
    """Store templates of an organization."""
    Template.objects.bulk_create(
        TemplateFactory.build(organization=organization, **fields) for _ in range(number)
    )


def test_without_a_limit_a_page_has_a_thousand(acme: Organization, secret: ApiClient) -> None:
    fill(acme, 1000)
    answer = secret.get("/v1/templates")
    assert (len(answer.json()), next_of(answer)) == (1000, None)
    fill(acme, 1)
    first, second = walk(secret, "/v1/templates")
    assert (len(first), len(second)) == (1000, 1)
    assert len({row["id"] for row in first + second}) == 1001


@pytest.mark.parametrize(("limit", "sizes"), [(1, [1] * 7), (3, [3, 3, 1]), (7, [7]), (1000, [7])])
def test_pages_hold_everything_once_newest_first(
    limit: int, sizes: list[int], acme: Organization, secret: ApiClient
) -> None:
    fill(acme, 7)
    pages = walk(secret, f"/v1/templates?limit={limit}")
    assert [len(page) for page in pages] == sizes
    ids = [row["id"] for page in pages for row in page]
    assert ids == sorted(Template.objects.values_list("pk", flat=True), reverse=True)


def test_a_cursor_is_one_of_its_own_list(acme: Organization, secret: ApiClient) -> None:
    fill(acme, 2)
    address = next_of(secret.get("/v1/templates?limit=1"))
    assert address
    cursor = parse_qs(urlsplit(address).query)["cursor"][0]
    for other in ("/v1/documents", "/v1/batches", "/v1/assets", "/v1/webhooks"):
        assert (
            secret.get(f"{other}?cursor={cursor}").json()["message"] == "cursor: is not a cursor of this list"
        )
    assert secret.get("/v1/templates?cursor=").json()["message"] == "cursor: is not a cursor of this list"


def test_new_and_archived_rows_do_not_disturb_a_walk(acme: Organization, secret: ApiClient) -> None:
    fill(acme, 4)
    first = secret.get("/v1/templates?limit=2")
    secret.create()
    secret.delete(f"/v1/templates/{first.json()[1]['id']}")
    address = next_of(first)
    assert address
    rest = secret.get(address)
    ids = [row["id"] for row in first.json() + rest.json()]
    assert len(set(ids)) == len(ids) == 4
    assert next_of(rest) is None


def test_the_link_keeps_the_limit(acme: Organization, secret: ApiClient, settings: Any) -> None:
    fill(acme, 3)
    settings.BASE_URL = "https://documents.example.org"
    link = secret.get("/v1/templates?limit=2")["Link"]
    parts = urlsplit(link[1 : link.index(">")])
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == "https://documents.example.org/v1/templates"
    assert parse_qs(parts.query)["limit"] == ["2"]


def test_a_cursor_shows_nothing_of_others(acme: Organization, secret: ApiClient, globex: ApiClient) -> None:
    fill(acme, 3)
    address = next_of(secret.get("/v1/templates?limit=1"))
    assert address
    assert globex.get(address).json() == []


@pytest.mark.parametrize("limit", ["0", "1001", "-1", "x", "", "1.5", "²", "٣", "9" * 5000, "+5", " 5"])
@pytest.mark.parametrize("path", ["/v1/templates", "/v1/assets"])
def test_a_wrong_limit_is_named(path: str, limit: str, secret: ApiClient) -> None:
    answer = secret.get(f"{path}?limit={limit.replace('+', '%2B')}")
    assert errors_of(answer) == {"limit": "must be a whole number from 1 to 1000"}


@pytest.mark.parametrize("cursor", ["x", "%C3%A4", "====", "AAAA", "%00", "a" * 5001])
def test_a_wrong_cursor_is_named(cursor: str, secret: ApiClient) -> None:
    assert errors_of(secret.get(f"/v1/templates?cursor={cursor}")) == {
        "cursor": "is not a cursor of this list"
    }


def test_versions_have_pages_too(acme: Organization, secret: ApiClient) -> None:
    template = TemplateFactory(organization=acme, version=12)
    for version in range(1, 12):
        TemplateVersionFactory(template=template, version=version)
    path = f"/v1/templates/{template.pk}/versions"
    pages = walk(secret, f"{path}?limit=4")
    assert [[row["version"] for row in page] for page in pages] == [[11, 10, 9, 8], [7, 6, 5, 4], [3, 2, 1]]
    assert errors_of(secret.get(f"{path}?cursor=eHg")) == {"cursor": "is not a cursor of this list"}
    huge = "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OQ"  # 10 to the 29th: no database column is that large
    assert secret.get(f"{path}?cursor={huge}").status_code in {200, 400}
    assert errors_of(secret.get(f"{path}?limit=0"))
