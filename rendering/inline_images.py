"""Images that a document brings along as data URIs, and the store of checked images. Knows no database."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final

from config.kept import Kept
from config.limits import limit
from templates_app.resolved import ImageFile

_DATA_URI = re.compile(r"data:image/[\w.+-]+;base64,", re.ASCII)
_CACHED_BYTES: Final = 32 * 2**20  # of images and data URIs, all together


def inline_image(reference: str) -> ImageFile:
    """Return the image of a data URI; raises ValueError with the reason, for other references too."""
    if not reference.startswith("data:"):
        raise ValueError("must be a data URI of an image")
    return checked_images.get(reference, lambda: _from_data_uri(reference))


def checked(content: bytes) -> ImageFile:
    """Return an image whose every pixel can be read; raises ValueError with the reason."""
    from assets.images import inspect_image

    info = inspect_image(content, limit("MAX_IMAGE_PIXELS"))
    return ImageFile(content, info.content_type, info.width, info.height)


class CheckedImages:
    """The checked images used last: a logo comes with every render, in the template or as an asset.

    The key is the content itself, as a data URI or as a digest, so that no image stands for another one.
    """

    def __init__(self, room: int = _CACHED_BYTES) -> None:
        self.kept = Kept[tuple[str | bytes, int], ImageFile](room, worth=8)

    def get(self, content: str | bytes, check: Callable[[], ImageFile]) -> ImageFile:
        """Return the image that `check` returns for `content`; raises what it raises."""
        key = content, limit("MAX_IMAGE_PIXELS")
        return self.kept.get(key, check, lambda image: len(content) + len(image.content))


checked_images = CheckedImages()


def _from_data_uri(reference: str) -> ImageFile:
    head = _DATA_URI.match(reference)
    if head is None:
        raise ValueError("must be a base64 data URI of an image")
    try:
        content = base64.b64decode(reference[head.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("is not valid base64") from None
    return checked(content)
