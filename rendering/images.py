"""Files that a document may show: the organization's assets, or data URIs. Never a path or an address."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from django.conf import settings

from accounts.models import Organization
from assets.images import inspect_image
from assets.services import read_asset
from templates_app.resolved import ImageFile

_DATA_URI = re.compile(r"data:image/[\w.+-]+;base64,", re.ASCII)
_CACHED_BYTES: Final = 32 * 2**20  # of images and data URIs, all together
_FONT_KIND: Final = "font"


def image_loader(organization: Organization) -> Callable[[str], ImageFile]:
    """Return a function from an asset id or data URI to its image; it raises ValueError with the reason."""

    def load(reference: str) -> ImageFile:
        if reference.startswith("data:"):
            return _images.get(reference, lambda: _from_data_uri(reference))
        return _from_asset(organization, reference)

    return load


def font_loader(organization: Organization) -> Callable[[str], bytes]:
    """Return a function from the id of a font asset to its bytes; it raises ValueError with the reason."""

    def load(reference: str) -> bytes:
        found = read_asset(organization=organization, asset_id=reference)
        if found is None or found[1].kind != _FONT_KIND:
            raise ValueError("must be the id of a font asset")
        return found[0]

    return load


class _Images:
    """The checked images used last: a logo comes with every render, in the template or as an asset.

    The key is the content itself, as a data URI or as a digest, so that no image stands for another one.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._images: OrderedDict[tuple[str | bytes, int], ImageFile] = OrderedDict()
        self._bytes = 0

    def get(self, content: str | bytes, check: Callable[[], ImageFile]) -> ImageFile:
        """Return the image that `check` returns for `content`; raises what it raises."""
        key = (content, settings.MAX_IMAGE_PIXELS)
        with self._lock:
            found = self._images.get(key)
            if found is not None:
                self._images.move_to_end(key)
                return found
        image = check()
        size = len(content) + len(image.content)
        if size <= _CACHED_BYTES // 8:
            with self._lock:
                if key not in self._images:
                    self._bytes += size
                self._images[key] = image
                while self._bytes > _CACHED_BYTES:
                    (oldest, _), gone = self._images.popitem(last=False)
                    self._bytes -= len(oldest) + len(gone.content)
        return image


_images = _Images()


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
    if found[1].kind == _FONT_KIND:
        raise ValueError("is a font, not an image")
    content = found[0]
    return _images.get(hashlib.sha256(content).digest(), lambda: _checked(content))


def _checked(content: bytes) -> ImageFile:
    info = inspect_image(content, settings.MAX_IMAGE_PIXELS)
    return ImageFile(content, info.content_type, info.width, info.height)
