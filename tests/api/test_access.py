"""Who gets which status from which endpoint; what is asked for here is Ann's, and the asset Acme's."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator
from PIL import Image

from accounts.models import Organization
from assets.services import upload_asset
from tests.api.tools import HEADING
from tests.conftest import INVOICE, ApiClient
from tests.factories import BatchFactory, DocumentFactory, TemplateFactory, WebhookDeliveryFactory

CALLERS = ("secret", "ann", "ben", "globex", "nobody")
SEEN = (200, 200, 404, 404, 401)  # a thing of Ann's
OPEN = (200, 200, 200, 200, 401)  # about the caller itself
SERVERS = (200, 403, 403, 200, 401)  # the organization's own affairs
RENDER = {"templateId": "{template}", "data": {"name": "Ada"}}
BATCH = {"templateId": "{template}", "items": [{"data": {"name": "Ada"}}]}

# method, path as in the OpenAPI schema, body, status for each of CALLERS
TABLE: list[tuple[str, str, Any, tuple[int, ...]]] = [
    ("POST", "/v1/render", RENDER, SEEN),
    ("GET", "/v1/documents", None, OPEN),
    ("GET", "/v1/documents/{id}", None, SEEN),
    ("DELETE", "/v1/documents/{id}", None, (204, 204, 404, 404, 401)),
    ("GET", "/v1/downloads/{id}", None, (302, 302, 404, 404, 401)),
    ("GET", "/v1/batches", None, OPEN),
    ("POST", "/v1/batches", BATCH, (202, 202, 404, 404, 401)),
    ("GET", "/v1/batches/{id}", None, SEEN),
    ("POST", "/v1/batches/{id}/cancel", None, SEEN),
    ("DELETE", "/v1/batches/{id}", None, (204, 204, 404, 404, 401)),
    ("POST", "/v1/templates", INVOICE, (201, 201, 201, 201, 401)),
    ("GET", "/v1/templates", None, OPEN),
    ("GET", "/v1/templates/{id}", None, SEEN),
    ("PATCH", "/v1/templates/{id}", {"name": "Renamed"}, SEEN),
    ("DELETE", "/v1/templates/{id}", None, SEEN),
    ("POST", "/v1/templates/{id}/publish", None, SEEN),
    ("GET", "/v1/templates/{id}/versions", None, SEEN),
    ("GET", "/v1/templates/{id}/versions/{version}", None, SEEN),
    ("GET", "/v1/assets", None, OPEN),
    ("GET", "/v1/assets/{id}", None, (200, 200, 200, 404, 401)),
    ("GET", "/v1/usage", None, OPEN),
    ("GET", "/v1/usage/trend", None, OPEN),
    ("GET", "/v1/orgs", None, OPEN),
    ("POST", "/v1/auth/rotate-keys", None, (200, 403, 403, 200, 401)),
    ("GET", "/v1/webhooks", None, SERVERS),
    ("POST", "/v1/webhooks", {"url": "https://hooks.example.com/"}, (201, 403, 403, 201, 401)),
    ("GET", "/v1/webhooks/{id}", None, (200, 403, 403, 404, 401)),
    ("PATCH", "/v1/webhooks/{id}", {"description": "Orders"}, (200, 403, 403, 404, 401)),
    ("DELETE", "/v1/webhooks/{id}", None, (204, 403, 403, 404, 401)),
    ("POST", "/v1/webhooks/{id}/rotate-secret", None, (200, 403, 403, 404, 401)),
    ("POST", "/v1/webhooks/{id}/test", None, (202, 403, 403, 404, 401)),
    ("GET", "/v1/webhooks/{id}/deliveries", None, (200, 403, 403, 404, 401)),
    ("GET", "/v1/webhooks/{id}/deliveries/{deliveryId}", None, (200, 403, 403, 404, 401)),
    ("POST", "/v1/webhooks/{id}/deliveries/{deliveryId}/replay", None, (202, 403, 403, 404, 401)),
]


@pytest.fixture
def ids(acme: Organization, settings: Any) -> dict[str, str]:
    """Ids of a template, a document and a batch of Ann's and of what is Acme's, by the first segment."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["hooks.example.com"]
    template = TemplateFactory(
        organization=acme, external_user_id="ann", sections=[HEADING], published=True, version=1
    )
    document = DocumentFactory(template=template, external_user_id="ann", completed=True)
    out = BytesIO()
    Image.new("RGB", (2, 2)).save(out, "PNG")
    asset = upload_asset(organization=acme, name="logo.png", content=out.getvalue(), actor="system")
    delivery = WebhookDeliveryFactory(webhook__organization=acme)
    return {
        "templates": template.pk,
        "downloads": document.pk,
        "documents": document.pk,
        "batches": BatchFactory(template=template, external_user_id="ann").pk,
        "assets": asset.pk,
        "webhooks": delivery.webhook_id,
        "deliveries": delivery.pk,
    }


@pytest.mark.parametrize(
    ("method", "path", "body", "caller", "status"),
    [
        pytest.param(method, path, body, caller, status, id=f"{method} {path} {caller}")
        for method, path, body, statuses in TABLE
        for caller, status in zip(CALLERS, statuses, strict=True)
    ],
)
def test_status(
    method: str,
    path: str,
    body: Any,
    caller: str,
    status: int,
    ids: dict[str, str],
    request: pytest.FixtureRequest,
) -> None:
    client: ApiClient = request.getfixturevalue(caller)
    body = body | {"templateId": ids["templates"]} if body in (RENDER, BATCH) else body
    named = {"id": ids.get(path.split("/")[2]), "version": 1, "deliveryId": ids["deliveries"]}
    answer = client.request(method, path.format(**named), body)
    assert answer.status_code == status, answer.content
    if status >= 400:
        assert answer.json()["message"]


def test_lists_hold_only_what_the_caller_may_see(
    ids: dict[str, str], secret: ApiClient, ann: ApiClient, ben: ApiClient, globex: ApiClient
) -> None:
    own = secret.create(name="Acme's own")["id"]

    def listed(client: ApiClient) -> set[str]:
        return {row["id"] for row in client.get("/v1/templates").json()}

    assert listed(secret) == {ids["templates"], own}
    assert listed(ann) == {ids["templates"]}
    assert listed(ben) == listed(globex) == set()
    assert globex.get("/v1/assets").json() == []
    assert [row["id"] for row in ben.get("/v1/assets").json()] == [ids["assets"]]


@pytest.mark.parametrize("user", ["ann", "ben"])
def test_a_public_key_sees_nothing_of_the_organization_itself(
    user: str, secret: ApiClient, request: pytest.FixtureRequest
) -> None:
    client: ApiClient = request.getfixturevalue(user)
    template_id = secret.published()
    document_id = secret.render(template_id).json()["documentId"]
    assert client.get(f"/v1/templates/{template_id}").status_code == 404
    assert client.render(template_id).status_code == 404
    assert client.get(f"/v1/downloads/{document_id}").status_code == 404
    assert client.get("/v1/usage").json()["total"] == 0


def test_a_refused_change_changes_nothing(ids: dict[str, str], ben: ApiClient, secret: ApiClient) -> None:
    path = f"/v1/templates/{ids['templates']}"
    before = secret.get(path).json()
    assert ben.patch(path, {"name": "Mine"}).status_code == 404
    assert ben.delete(path).status_code == 404
    assert ben.post(f"{path}/publish").status_code == 404
    assert secret.get(path).json() == before


def in_schema() -> set[tuple[str, str]]:
    """Return method and path of every documented operation."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return {(method.upper(), path) for path, operations in paths.items() for method in operations}


def routed(resolver: URLResolver, under_v1: bool = False) -> int:
    """Return how many pairs of method and route are mounted under `/v1`."""
    found = 0
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            found += routed(entry, under_v1 or str(entry.pattern).startswith("v1/"))
        elif under_v1 and isinstance(entry, URLPattern):
            found += len(getattr(entry.callback, "actions", {}).keys() - {"head"})
    return found


@pytest.mark.django_db
def test_no_endpoint_is_missing_from_the_table() -> None:
    table = {(method, path) for method, path, _, _ in TABLE}
    assert table == in_schema()
    assert len(table) == routed(get_resolver())
