"""What an uploaded image really is. Pure: bytes in, facts or bytes out, no database and no storage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from assets.parts import has_too_many
from assets.png import plain_size
from config.large_images import turn_for
from config.value import dataclass

if TYPE_CHECKING:
    from PIL import Image

# Only these decoders see untrusted bytes. MPO is what phones write: a JPEG with further pictures behind it.
ACCEPTED = ("PNG", "JPEG", "WEBP")
CONTENT_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg", "WEBP": "image/webp"}
ORIENTATION_TAG = 0x0112
LYING = {5, 6, 7, 8}  # orientations that exchange width and height
SVG_TYPE = "image/svg+xml"
JPEG_QUALITY = 95


class InvalidImage(ValueError):
    """The bytes are no image that we take; the message says why and is fit for the person who uploaded it."""


@dataclass(frozen=True)
class ImageInfo:
    """Facts about an image: its content type by its bytes, width and height in pixels as it is shown.

    A photograph that only its EXIF data turns upright has the size it is seen in; that of an SVG is in CSS
    pixels, rounded.
    """

    content_type: str
    width: int
    height: int


def inspect_image(data: bytes, max_pixels: int) -> ImageInfo:
    """Return what `data` is after decoding all of it; the size is checked before the first pixel is decoded.

    Raises InvalidImage (a ValueError) for other formats, damaged data, more than `max_pixels` pixels, and for
    an SVG that runs or loads anything.
    """
    if (size := plain_size(data, max_pixels)) is not None:
        return ImageInfo(CONTENT_TYPES["PNG"], *size)
    from assets import svg  # neither of the two is loaded for the usual logo, which is a PNG

    if svg.looks_like_svg(data):
        return _inspect_svg(data, max_pixels)
    with _decoded(data, max_pixels):
        return read_header(data, max_pixels)


def read_header(data: bytes, max_pixels: int) -> ImageInfo:
    """Return what a raster image says about itself, without decoding it. Raises as `inspect_image` does."""
    with _opened(data, max_pixels) as image:
        return _info(image)


def _inspect_svg(data: bytes, max_pixels: int) -> ImageInfo:
    """Check an SVG and the raster images inside of it."""
    from assets import svg

    try:
        root = svg.parse_svg(data)
        width, height = svg.svg_size(root)
        inside = svg.embedded_images(root)
    except svg.InvalidSvg as error:
        raise InvalidImage(str(error)) from None
    pixels = 0  # of all of them: a large one may be some hundred bytes, and a second of work
    for content in dict.fromkeys(inside):
        try:
            with _decoded(content, max_pixels) as image:
                pixels += image.width * image.height
        except InvalidImage as error:
            raise InvalidImage(f"an image inside of the SVG: {error}") from None
        if pixels > max_pixels:
            raise InvalidImage(
                f"the images inside of the SVG have more than {max_pixels} pixels together (MAX_IMAGE_PIXELS)"
            )
    return ImageInfo(SVG_TYPE, max(round(width), 1), max(round(height), 1))


def prepare_image(data: bytes, max_pixels: int) -> tuple[bytes, ImageInfo]:
    """Return the bytes to keep, and facts about them.

    WebP becomes PNG, which every output format can hold; a picture that only its EXIF data turns upright is
    turned, since renderers read pixels. Everything else stays byte for byte. Raises as `inspect_image` does.
    """
    from PIL import ImageOps

    from assets import svg

    if svg.looks_like_svg(data):
        return data, _inspect_svg(data, max_pixels)
    with _decoded(data, max_pixels) as image:
        turned = 2 <= _orientation(image) <= 8
        if image.format != "WEBP" and not turned:
            return data, _info(image)
        upright = ImageOps.exif_transpose(image)
        out = BytesIO()
        profile = image.info.get("icc_profile")
        if CONTENT_TYPES[str(image.format)] == "image/jpeg":
            upright.save(out, "JPEG", quality=JPEG_QUALITY, icc_profile=profile)
            return out.getvalue(), ImageInfo("image/jpeg", upright.width, upright.height)
        upright.save(out, "PNG", icc_profile=profile)
        return out.getvalue(), ImageInfo("image/png", upright.width, upright.height)


def _opened(data: bytes, max_pixels: int) -> Image.Image:
    """Read the header alone and refuse what is too large to decode."""
    from PIL import Image

    if not data:
        raise InvalidImage("the file is empty")
    try:
        image = Image.open(BytesIO(data), formats=ACCEPTED)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise InvalidImage(f"the image has more than {max_pixels} pixels (MAX_IMAGE_PIXELS)") from None
    except Exception:
        raise InvalidImage("not a PNG, JPEG, WebP or SVG image") from None
    if image.width * image.height > max_pixels:
        raise InvalidImage(
            f"the image has {image.width} x {image.height} pixels; "
            f"the limit is {max_pixels} in total (MAX_IMAGE_PIXELS)"
        )
    if not image.width or not image.height:
        raise InvalidImage("the image has no pixels")
    return image


@contextmanager
def _decoded(data: bytes, max_pixels: int) -> Iterator[Image.Image]:
    """Give an image with every pixel of its first frame decoded."""
    if has_too_many(data):
        raise InvalidImage("the image is made of too many parts; save it again with an image editor")
    with _opened(data, max_pixels) as header:
        pixels = header.width * header.height
    with turn_for(pixels), _loaded(data, max_pixels) as image:
        yield image


def _loaded(data: bytes, max_pixels: int) -> Image.Image:
    try:
        with _opened(data, max_pixels) as image:
            # Checksums, which decoding alone skips; a verified image cannot be decoded any more.
            image.verify()
        image = _opened(data, max_pixels)
        image.load()
    except InvalidImage:
        raise
    except Exception:
        # Decoders of hostile data fail in all sorts of ways: OSError, SyntaxError, struct.error, zlib.error.
        raise InvalidImage("the image is damaged or incomplete") from None
    return image


def _info(image: Image.Image) -> ImageInfo:
    width, height = image.size
    if _orientation(image) in LYING:
        width, height = height, width
    return ImageInfo(CONTENT_TYPES[str(image.format)], width, height)


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation; 1 where the data is missing or damaged."""
    try:
        return int(image.getexif().get(ORIENTATION_TAG, 1))
    except Exception:  # as many kinds as there are ways to damage it
        return 1
