"""Images that a document may show: the organization's assets, or data URIs. Never a path or an address."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

from django.conf import settings

from accounts.models import Organization
from assets.images import inspect_image
from assets.services import read_asset
from templates_app.resolved import ImageFile

_DATA_URI = re.compile(r"data:image/[\w.+-]+;base64,", re.ASCII)


def image_loader(organization: Organization) -> Callable[[str], ImageFile]:
    """Return a function from an asset id or data URI to its image; it raises ValueError with the reason."""

    def load(reference: str) -> ImageFile:
        return (
            _from_data_uri(reference)
            if reference.startswith("data:")
            else _from_asset(organization, reference)
        )

    return load


def _from_data_uri(reference: str) -> ImageFile:
    head = _DATA_URI.match(reference)
    if head is None:
        raise ValueError("must be a base64 data URI of an image")
    try:
        content = base64.b64decode(reference[head.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("is not valid base64") from None
    return _checked(content)


def _from_asset(organization: Organization, asset_id: str) -> ImageFile:
    found = read_asset(organization=organization, asset_id=asset_id)
    if found is None:
        raise ValueError("must be the id of an asset or a data URI")
    return _checked(found[0])


def _checked(content: bytes) -> ImageFile:
    info = inspect_image(content, settings.MAX_IMAGE_PIXELS)
    return ImageFile(content, info.content_type, info.width, info.height)
