"""Uploading, reading and deleting assets: row and file together."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from assets.fonts import CONTENT_TYPE as FONT_TYPE
from assets.fonts import MAX_FONT_BYTES, InvalidFont, inspect_font, looks_like_font
from assets.images import ImageInfo, InvalidImage, prepare_image
from assets.models import EXTENSIONS, Asset
from config.api.ids import is_storable

if TYPE_CHECKING:
    from accounts.models import Organization

logger = logging.getLogger(__name__)

MAX_NAME_LENGTH = 255


def upload_asset(*, organization: Organization, name: str, content: bytes) -> Asset:
    """Store an image or a font under a name of its own and return its row.

    The file comes first: a row never points to nothing. `name` is only shown, the type is read from the
    bytes. Raises ValueError, with a message for the person who uploads, when the content is no acceptable
    image or font, or larger than MAX_ASSET_BYTES (a font: 20 MB, as typefaces of East Asia need).
    """
    if looks_like_font(content):
        asset = _font(organization, content)
        stored = content
    else:
        stored, info = _image(content)
        asset = Asset(
            organization=organization,
            content_type=info.content_type,
            size_bytes=len(stored),
            width=info.width,
            height=info.height,
        )
    asset.name = clean_name(name) or asset.id
    wanted = f"assets/{organization.pk}/{asset.id}.{EXTENSIONS[asset.content_type]}"
    asset.file = default_storage.save(wanted, ContentFile(stored))
    try:
        asset.save(force_insert=True)
    except BaseException:
        _delete_file(asset.file)
        raise
    return asset


def largest_upload() -> int:
    """Return how many bytes an upload may have at most, whatever it is."""
    return max(settings.MAX_ASSET_BYTES, MAX_FONT_BYTES)


def _image(content: bytes) -> tuple[bytes, ImageInfo]:
    """Return an image as it is kept."""
    if len(content) > settings.MAX_ASSET_BYTES:
        raise InvalidImage(
            f"the file is too large: the limit is {settings.MAX_ASSET_BYTES} bytes (MAX_ASSET_BYTES)"
        )
    return prepare_image(content, settings.MAX_IMAGE_PIXELS)


def _font(organization: Organization, content: bytes) -> Asset:
    """Return the row of a font, not stored yet."""
    if len(content) > MAX_FONT_BYTES:
        raise InvalidFont(f"the font is too large: the limit is {MAX_FONT_BYTES} bytes")
    inspect_font(content)
    return Asset(
        organization=organization, kind=Asset.Kind.FONT, content_type=FONT_TYPE, size_bytes=len(content)
    )


def delete_asset(*, asset: Asset) -> None:
    """Delete the row, then the file once that is final. Documents rendered before keep their copy."""
    file = asset.file
    with transaction.atomic():
        asset.delete()
        transaction.on_commit(lambda: _delete_file(file))


def read_asset(*, organization: Organization, asset_id: str) -> tuple[bytes, Asset] | None:
    """Return the content and row of an organization's asset; None when it has none of this id."""
    if not is_storable(asset_id):
        return None
    asset = Asset.objects.filter(organization=organization, pk=asset_id).first()
    if asset is None:
        return None
    try:
        with default_storage.open(asset.file, "rb") as file:
            return file.read(), asset
    except FileNotFoundError:
        logger.error("Asset %s has lost its file %s", asset.pk, asset.file)
        return None


def clean_name(name: str) -> str:
    """Return the last part of an uploaded file's name without control characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last if c.isprintable()).strip()[:MAX_NAME_LENGTH]


def _delete_file(name: str) -> None:
    """Delete a file; a failure leaves an orphan, which is harmless, and is logged."""
    try:
        default_storage.delete(name)
    except Exception:
        logger.exception("Could not delete %s", name)
