"""Files that a document may show: the organization's assets, or data URIs. Never a path or an address."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from accounts.models import Organization
from assets.models import Asset
from assets.services import read_asset
from rendering.inline_images import checked, checked_images, inline_image
from templates_app.resolved import ImageFile


def image_loader(organization: Organization) -> Callable[[str], ImageFile]:
    """Return a function from an asset id or data URI to its image; it raises ValueError with the reason."""

    def load(reference: str) -> ImageFile:
        if reference.startswith("data:"):
            return inline_image(reference)
        return _from_asset(organization, reference)

    return load


def font_loader(organization: Organization) -> Callable[[str], bytes]:
    """Return a function from the id of a font asset to its bytes; it raises ValueError with the reason."""

    def load(reference: str) -> bytes:
        found = read_asset(organization=organization, asset_id=reference)
        if found is None or found[1].kind != Asset.Kind.FONT:
            raise ValueError("must be the id of a font asset")
        return found[0]

    return load


def _from_asset(organization: Organization, asset_id: str) -> ImageFile:
    found = read_asset(organization=organization, asset_id=asset_id)
    if found is None:
        raise ValueError("must be the id of an asset or a data URI")
    if found[1].kind == Asset.Kind.FONT:
        raise ValueError("is a font, not an image")
    content = found[0]
    return checked_images.get(hashlib.sha256(content).digest(), lambda: checked(content))
