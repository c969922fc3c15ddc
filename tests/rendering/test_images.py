"""Images and fonts that a document may show, and what is kept of them between renders."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from accounts.models import Organization
from assets.services import upload_asset
from rendering import inline_images
from rendering.images import font_loader, image_loader
from tests.factories import OrganizationFactory


def png(width: int = 4) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, 2)).save(out, "PNG")
    return out.getvalue()


def uri(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode()


def test_a_data_uri_is_decoded_once(acme: Organization, settings: Any) -> None:
    load = image_loader(acme)
    found = load(uri(png()))
    assert (found.content, found.content_type, found.width, found.height) == (png(), "image/png", 4, 2)
    assert load(uri(png())) is found
    assert load(uri(png(5))).width == 5
    settings.MAX_IMAGE_PIXELS = 7
    with pytest.raises(ValueError, match="MAX_IMAGE_PIXELS"):
        load(uri(png()))


def test_an_asset_is_one_image_and_its_organizations_own(acme: Organization) -> None:
    asset = upload_asset(organization=acme, name="logo.png", content=png(6), actor="system")
    load = image_loader(acme)
    assert load(asset.pk) is load(asset.pk)
    with pytest.raises(ValueError, match="must be the id of an asset"):
        image_loader(OrganizationFactory(name="Other"))(asset.pk)
    asset_id = asset.pk
    asset.delete()
    with pytest.raises(ValueError, match="must be the id of an asset"):
        load(asset_id)


@pytest.mark.parametrize(
    "reference", ["data:text/html;base64,AAAA", "data:image/png;base64,!", uri(b"GIF89a"), "/etc/passwd", ""]
)
def test_what_is_no_image(acme: Organization, reference: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        image_loader(acme)(reference)


def test_a_font_is_no_image_and_an_image_no_font(acme: Organization) -> None:
    asset = upload_asset(organization=acme, name="logo.png", content=png(7), actor="system")
    with pytest.raises(ValueError, match="must be the id of a font asset"):
        font_loader(acme)(asset.pk)


def test_what_is_kept_is_bounded(acme: Organization, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(png()) + len(uri(png()))
    store = inline_images.CheckedImages(room=8 * size + 40)
    monkeypatch.setattr(inline_images, "checked_images", store)
    load = image_loader(acme)
    for width in range(1, 30):
        load(uri(png(width)))
    assert 0 < len(store.kept) <= 9
    assert 0 < store.kept.total <= 8 * size + 40
