"""Assets over HTTP: read-only metadata with a presigned link. Uploads are tested in tests/assets."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from accounts.models import Organization
from assets.services import delete_asset, upload_asset
from tests.api.tools import assert_refused, pdf_of
from tests.conftest import ApiClient
from tests.links import follow


@pytest.fixture
def logo(acme: Organization) -> Any:
    """An asset of the organization, 6 by 4 pixels."""
    out = BytesIO()
    Image.new("RGB", (6, 4), "red").save(out, "PNG")
    return upload_asset(organization=acme, name="logo.png", content=out.getvalue(), actor="system")


def test_metadata(logo: Any, secret: ApiClient, ann: ApiClient) -> None:
    body = secret.get(f"/v1/assets/{logo.pk}").json()
    assert body == {
        "id": logo.pk,
        "name": "logo.png",
        "kind": "image",
        "contentType": "image/png",
        "sizeBytes": logo.size_bytes,
        "width": 6,
        "height": 4,
        "url": body["url"],
        "createdAt": body["createdAt"],
    }
    assert body["createdAt"].endswith("Z")
    assert ann.get(f"/v1/assets/{logo.pk}").json()["id"] == logo.pk
    file = follow(body["url"])
    assert file.headers["Content-Type"] == "image/png"
    assert len(file.content) == logo.size_bytes


def test_foreign_and_unknown_assets_are_not_found(logo: Any, secret: ApiClient, globex: ApiClient) -> None:
    assert_refused(globex.get(f"/v1/assets/{logo.pk}"), 404, "Asset not found")
    assert_refused(secret.get("/v1/assets/ast_unknown"), 404, "Asset not found")
    delete_asset(asset=logo, actor="system")
    assert_refused(secret.get(f"/v1/assets/{logo.pk}"), 404, "Asset not found")


def test_a_template_shows_an_asset_of_its_own_organization_only(
    logo: Any, secret: ApiClient, globex: ApiClient
) -> None:
    sections = [{"type": "image", "source": logo.pk, "width": 30}]
    answer = secret.render(secret.published(sections=sections), {})
    assert len(pdf_of(answer).pages[0].images) == 1
    answer = globex.render(globex.published(sections=sections), {})
    assert_refused(answer, 400, "sections[0].source: must be the id of an asset or a data URI")
